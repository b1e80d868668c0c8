/** Users (users API of the v4 level 14.0). */
import Type, { type TProperties } from 'typebox'
import { isAdmin } from '../../platform/access/actor.ts'
import { NameElsewhere, WebAddress } from '../../platform/kernel/addresses/web_address.ts'
import { choice, entity, plain } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import {
  DateTime,
  Day,
  described,
  File,
  flag,
  integer,
  Nullable,
  OneOf,
  onTier,
  optional,
  text,
} from '../../platform/kernel/declaration/types.ts'
import { invalid, type RefusalKind } from '../../platform/kernel/errors.ts'
import { allOrNone } from '../../platform/kernel/request/params.ts'
import { avatarParam } from '../avatars/params.ts'
import { orWithCustomAttributes } from '../custom_attributes/entity.ts'
import { customAttributeParams, withCustomAttributesParam } from '../custom_attributes/params.ts'
import { sendConfirmation } from '../email_confirmations/links.ts'
import { awaitPrimaryEmail } from '../email_confirmations/primary.ts'
import { assertEmailIsFree, isEmail } from '../emails/commands.ts'
import { ProfileWithCounts, UserForAdminsWithCounts } from '../followers/entity.ts'
import * as identities from '../identities/removal.ts'
import { sendFirstPassword } from '../password_resets/commands.ts'
import { unlockByAdministrator } from '../sessions/locks/locks.ts'
import * as commands from './commands.ts'
import { Activity, CurrentUser, presentSummary, UserForAdmins, UserSummary } from './entity.ts'
import { assertOwnAddresses } from './preferences/own_addresses.ts'
import { activitiesSince, type UserRow, usersMatching } from './queries.ts'
import { inIdentity, inSelf, inUserById } from './scope.ts'
import type { UserEvent, UserState } from './states.ts'

const attributes = {
  ...avatarParam,
  admin: optional(flag('Whether the user is an administrator')),
  auditor: onTier('premium', optional(flag('Whether the user is an auditor; without effect, since there are no auditors'))),
  external: optional(flag('Whether the user is external and sees only what was shared with them')),
  private_profile: optional(flag('Whether the profile shows no activity')),
  can_create_group: optional(flag('Whether the user may create top-level groups')),
  projects_limit: optional(integer('Most personal projects', { minimum: 0, maximum: 2_147_483_647 })),
  bio: optional(text('Text about the user', { maxLength: 255 })),
  location: optional(text('Where the user lives', { maxLength: 255 })),
  public_email: optional(text('Email address that everyone may see', { maxLength: 255 })),
  skype: optional(text('Name at Skype', { maxLength: 255 })),
  linkedin: optional(described('Name at LinkedIn', NameElsewhere({ maxLength: 500 }))),
  twitter: optional(described('Name at Twitter', NameElsewhere({ maxLength: 500 }))),
  website_url: optional(described("Address of the user's website", WebAddress({ maxLength: 500 }))),
  organization: optional(text('Organization of the user', { maxLength: 500 })),
  job_title: optional(text('Job title', { maxLength: 255 })),
  pronouns: optional(text('Pronouns of the user', { maxLength: 50 })),
  note: optional(text('Note that administrators keep about the user', { maxLength: 10_000 })),
  commit_email: optional(
    text('Email address of commits that are made in the browser or API; `_private`: one that takes no mail', { maxLength: 255 }),
  ),
  theme_id: optional(integer('ID of the theme of the pages', { minimum: 1, maximum: 10 })),
  color_scheme_id: optional(integer('ID of the syntax highlighting theme', { minimum: 1, maximum: 10 })),
  provider: optional(text('Identity provider, with `extern_uid`', { maxLength: 255 })),
  extern_uid: optional(text('ID of the user at the provider, with `provider`', { maxLength: 255 })),
  shared_runners_minutes_limit: onTier('premium', optional(integer('CI minutes of a month', { minimum: 0, maximum: 2_147_483_647 }))),
  extra_shared_runners_minutes_limit: onTier('premium', optional(integer('Additional CI minutes', { minimum: 0, maximum: 2_147_483_647 }))),
} satisfies TProperties

/** The day half a year before `now`. */
function sixMonthsBefore(now: Date): string {
  const day = new Date(now)
  day.setUTCMonth(day.getUTCMonth() - 6)
  return day.toISOString().slice(0, 10)
}

/** All callers see a profile; administrators see the whole user. */
const profileOrAll = orWithCustomAttributes(
  'user_id',
  choice<UserRow>([ProfileWithCounts, UserForAdminsWithCounts], facts =>
    isAdmin(facts.actor) ? UserForAdminsWithCounts : ProfileWithCounts,
  ),
)
const summaryOrAll = orWithCustomAttributes(
  'user_id',
  choice<UserRow>([UserSummary, UserForAdmins], facts => (isAdmin(facts.actor) ? UserForAdmins : UserSummary)),
)

export const getCurrentUser = endpoint({
  route: 'GET /user',
  summary: 'Get the user that the caller is',
  scope: inSelf,
  can: 'update_own',
  scopes: ['read_user'],
  answers: one(CurrentUser),
  run: ({ user }) => user,
})

export const listUsers = endpoint({
  route: 'GET /users',
  summary: 'List users',
  scope: inInstance,
  can: 'use_instance',
  scopes: ['read_user'],
  params: {
    search: optional(text('Part of the name or username, or a whole email address', { maxLength: 255 })),
    username: optional(text('Exact username, in any case', { maxLength: 255 })),
    active: optional(flag('Only active users')),
    blocked: optional(flag('Only blocked users')),
    external: optional(flag('Administrators only')),
    admins: optional(flag('Administrators only')),
    exclude_internal: optional(flag('Leaves out accounts of the server itself')),
    without_projects: optional(flag('Only users without projects')),
    two_factor: Type.Optional(OneOf(['enabled', 'disabled'], { description: 'Administrators only' })),
    created_after: optional(DateTime('Administrators only')),
    created_before: optional(DateTime('Administrators only')),
    extern_uid: optional(text('With `provider`; administrators only')),
    provider: optional(text('With `extern_uid`; administrators only')),
    order_by: Type.Optional(OneOf(['id', 'name', 'username', 'created_at', 'updated_at'], { description: 'Administrators only' })),
    sort: Type.Optional(OneOf(['asc', 'desc'], { description: 'Administrators only' })),
    ...customAttributeParams,
  },
  answers: pageOf(summaryOrAll),
  run({ db, actor, params }) {
    if (isAdmin(actor)) return usersMatching(db, params, true)
    const { search, username, active, blocked, exclude_internal, without_projects } = params
    return usersMatching(db, { search, username, active, blocked, exclude_internal, without_projects }, false)
  },
})

export const getUser = endpoint({
  route: 'GET /users/:id',
  summary: 'Get a user',
  scope: inUserById,
  can: 'read_user_details',
  scopes: ['read_user'],
  params: withCustomAttributesParam,
  answers: one(profileOrAll),
  run: ({ user }) => user,
})

export const createUser = endpoint({
  route: 'POST /users',
  summary: 'Create a user',
  scope: inInstance,
  can: 'admin_instance',
  params: {
    email: text('Primary email address', { minLength: 3, maxLength: 254, examples: ['ida@example.com'] }),
    name: text('Full name', { minLength: 1, maxLength: 255, examples: ['Ida Example'] }),
    username: text('Username', { minLength: 1, maxLength: 255, examples: ['ida'] }),
    password: optional(text('Password, at least 8 characters', { maxLength: 128 })),
    reset_password: optional(flag('Set no password, and send the user a link with which they set it')),
    force_random_password: optional(flag('Set no password, and send the user a link with which they set it')),
    skip_confirmation: optional(
      flag('False: nobody signs in with the password before the address is confirmed by the link that is sent to it; true unless given'),
    ),
    ...attributes,
  },
  rules: [
    {
      says: 'password is needed unless reset_password or force_random_password is set',
      check: params =>
        params.password === undefined && !params.reset_password && !params.force_random_password
          ? { password: ["can't be blank"] }
          : undefined,
    },
    allOrNone('extern_uid', 'provider'),
  ],
  answers: one(UserForAdmins),
  errors: ['conflict'],
  async run(ctx) {
    const { reset_password, force_random_password, skip_confirmation, password, ...rest } = ctx.params
    const user = await commands.createUser(ctx, {
      ...rest,
      password: reset_password || force_random_password ? undefined : password,
      confirmed: skip_confirmation ?? true,
    })
    if (user.confirmed_at === null) await sendConfirmation(ctx, { user, email: user.email, as: 'first' })
    if (reset_password) await sendFirstPassword(ctx, user)
    return user
  },
})

export const updateUser = endpoint({
  route: 'PUT /users/:id',
  summary: 'Update a user',
  scope: inUserById,
  can: 'admin_user',
  params: {
    email: optional(text('Primary email address', { minLength: 3, maxLength: 254 })),
    name: optional(text('Full name', { minLength: 1, maxLength: 255 })),
    username: optional(text('Username', { minLength: 1, maxLength: 255 })),
    password: optional(text('Password, at least 8 characters', { maxLength: 128 })),
    skip_reconfirmation: optional(
      flag(
        'True: the email address counts as confirmed. False: a new one waits for its confirmation by a link. A new one takes effect immediately where nothing is given',
      ),
    ),
    ...attributes,
  },
  rules: [allOrNone('extern_uid', 'provider')],
  answers: one(UserForAdmins),
  errors: ['conflict'],
  run(ctx) {
    const { skip_reconfirmation, ...rest } = ctx.params
    if (skip_reconfirmation === false) return updateWaiting(ctx, rest)
    return commands.updateUser(ctx, ctx.user, skip_reconfirmation ? { ...rest, confirmed: true } : rest)
  },
})

/** Changes an account, but for its primary address, which is confirmed first. */
async function updateWaiting(ctx: Context & { readonly user: UserRow }, { email, ...rest }: commands.UserAttributes): Promise<UserRow> {
  if (email === undefined || email.toLowerCase() === ctx.user.email.toLowerCase()) return commands.updateUser(ctx, ctx.user, rest)
  if (!isEmail(email)) throw invalid({ email: ['is invalid'] })
  await assertEmailIsFree(ctx, email, ctx.user.id)
  return awaitPrimaryEmail(ctx, await commands.updateUser(ctx, ctx.user, rest), email)
}

const UserAvatar = entity({
  name: 'UserAvatar',
  schema: Type.Object({ avatar_url: Nullable(text('Address of the avatar; null where there is none')) }),
  present: (row: UserRow, _loaded: undefined, facts) => ({ avatar_url: presentSummary(row, facts).avatar_url }),
})

/** What users change of their own account; the rest is the administrators'. */
const ownAttributes = {
  name: optional(text('Full name', { minLength: 1, maxLength: 255 })),
  ...avatarParam,
  bio: attributes.bio,
  location: attributes.location,
  organization: attributes.organization,
  job_title: attributes.job_title,
  pronouns: attributes.pronouns,
  website_url: attributes.website_url,
  private_profile: attributes.private_profile,
  public_email: optional(
    text('Email address that everyone may see: one of one’s own that is confirmed; empty for none', { maxLength: 255 }),
  ),
  skype: attributes.skype,
  linkedin: attributes.linkedin,
  twitter: attributes.twitter,
  commit_email: optional(
    text(
      'Email address of commits that are made in the browser or API: one of one’s own that is confirmed, or `_private` for one that takes no mail; empty for the primary one',
      { maxLength: 255 },
    ),
  ),
} satisfies TProperties

// The API at 14.0 has no address for this; the pages and other clients need one.
export const updateSelf = endpoint({
  route: 'PUT /user',
  summary: 'Change one’s own profile',
  scope: inSelf,
  can: 'add_own_credential',
  params: ownAttributes,
  answers: one(CurrentUser),
  async run(ctx) {
    await assertOwnAddresses(ctx, ctx.user, ctx.params)
    return commands.updateUser(ctx, ctx.user, ctx.params)
  },
})

export const setOwnAvatar = endpoint({
  route: 'PUT /user/avatar',
  summary: 'Set one’s own avatar, or take it away',
  scope: inSelf,
  can: 'update_own',
  params: { avatar: Nullable(File(), { description: 'An image of at most 200 KB; empty for none', examples: ['@avatar.png'] }) },
  answers: one(UserAvatar),
  run: ctx => commands.updateUser(ctx, ctx.user, { avatar: ctx.params.avatar }),
})

export const deleteUser = endpoint({
  route: 'DELETE /users/:id',
  summary: 'Delete a user',
  scope: inUserById,
  can: 'admin_user',
  params: { hard_delete: optional(flag('Delete the groups that they alone own too')) },
  answers: nothing,
  errors: ['conflict'],
  run: ctx => commands.removeUser(ctx, ctx.user, ctx.params.hard_delete ?? false),
})

export const listActivities = endpoint({
  route: 'GET /user/activities',
  summary: 'List when users were last active, the longest absent first',
  scope: inInstance,
  can: 'admin_instance',
  params: { from: optional(Day('Only activity since this day; six months ago unless given')) },
  answers: pageOf(Activity),
  run: ({ db, now, params }) => activitiesSince(db, params.from ?? sixMonthsBefore(now)),
})

export const removeIdentity = endpoint({
  route: 'DELETE /users/:id/identities/:provider',
  summary: 'Delete the identity of a user at a provider',
  scope: inIdentity,
  can: 'admin_user',
  answers: nothing,
  run: ctx => identities.removeIdentity(ctx, ctx.identity),
})

const Moved = plain('Moved', Nullable(Type.Boolean(), { description: 'null or false: it was so already, and nothing changed' }))

/** `POST /users/:id/<event>`: the transitions of an account's state, each answered with `true` and 201. */
interface Moving {
  readonly errors?: readonly RefusalKind[]
  /** The state in which nothing is done, and what is then answered. */
  readonly idle?: { readonly state: UserState; readonly answer: null | false }
}

const moving = (event: UserEvent, summary: string, { errors = [], idle }: Moving = {}) =>
  endpoint({
    route: `POST /users/:id/${event}`,
    summary,
    scope: inUserById,
    can: 'admin_user',
    errors,
    answers: one(Moved),
    async run(ctx) {
      const from = await commands.moveUser(ctx, ctx.user, event)
      return from === idle?.state ? idle.answer : true
    },
  })

const Succeeded = plain('Succeeded', Type.Object({ message: text('`Success`') }))

export const rejectUser = endpoint({
  route: 'POST /users/:id/reject',
  summary: 'Refuse a user who waits for approval: the account is deleted',
  scope: inUserById,
  can: 'admin_user',
  answers: one(Succeeded),
  errors: ['conflict'],
  async run(ctx) {
    await commands.rejectUser(ctx, ctx.user)
    return { message: 'Success' }
  },
})

export const unlockUser = endpoint({
  route: 'POST /users/:id/unlock',
  summary: 'Unlock a user whose account takes no passwords after too many wrong ones',
  scope: inUserById,
  can: 'admin_user',
  answers: one(Moved),
  run: ctx => unlockByAdministrator(ctx, ctx.user),
})

export const blockUser = moving('block', 'Block a user', { idle: { state: 'blocked', answer: null } })
export const unblockUser = moving('unblock', 'Unblock a user', { idle: { state: 'active', answer: false } })
export const banUser = moving('ban', 'Ban a user')
export const unbanUser = moving('unban', 'Lift the ban of a user')
export const deactivateUser = moving('deactivate', 'Deactivate a user')
export const activateUser = moving('activate', 'Activate a user')
export const approveUser = moving('approve', 'Approve a user who waits for it', { errors: ['conflict'] })
