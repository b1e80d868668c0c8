/**
 * A user as JSON, in four variants: the summary that other entities embed, the profile, the user as seen by themselves, and by
 * administrators (document 1 "User summary"; users API of the v4 level 14.0).
 */

import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { DateTime, Day, described, flag, integer, Nullable, onTier, optional, text } from '../../platform/kernel/declaration/types.ts'
import { commitEmailOf } from '../emails/private_email.ts'
import type { ExtendedRow, SummaryRow } from './queries.ts'
import { type ActivityRow, type IdentityRow, identitiesOf, type UserRow } from './queries.ts'

/** The fields of a user summary, for entities that extend it. */
export const summaryFields = {
  id: integer('ID, unique on the instance'),
  name: text('Full name'),
  username: text('Username, without `@`'),
  state: text('`active`, `blocked`, `deactivated`, `banned` or `blocked_pending_approval`'),
  avatar_url: Nullable(text('Address of the avatar; null where there is none')),
  web_url: text('Address of the profile'),
}

/** The fields of an extended user, which jobs embed (document 1 "Extended user"). */
export const extendedFields = {
  ...summaryFields,
  created_at: DateTime('When it was created'),
  bio: Nullable(text('Text about the user; null where there is none')),
  location: Nullable(text('Where the user lives; null where unsaid')),
  public_email: text('Email address that everyone may see; empty where there is none'),
  skype: text('Name at Skype'),
  linkedin: text('Name at LinkedIn'),
  twitter: text('Name at Twitter'),
  website_url: text("Address of the user's website"),
  organization: Nullable(text('Organization of the user; null where unsaid')),
}

const profileFields = {
  ...extendedFields,
  job_title: text('Job title'),
  pronouns: Nullable(text('Pronouns of the user; null where unsaid')),
  bot: flag('Whether the account belongs to a token or a service'),
}

const ownFields = {
  ...profileFields,
  last_sign_in_at: Nullable(DateTime('When the user signed in the time before the last; null: never')),
  confirmed_at: Nullable(DateTime('When the address was confirmed; null until then')),
  last_activity_on: Nullable(Day('Day of the last activity; null: none yet')),
  email: text('Primary email address'),
  theme_id: integer('ID of the theme of the pages'),
  color_scheme_id: integer('ID of the syntax highlighting theme'),
  projects_limit: integer('Most personal projects'),
  current_sign_in_at: Nullable(DateTime('When the user signed in the last time; null: never')),
  identities: described(
    'Identities at identity providers',
    Type.Array(
      Type.Object({
        provider: text('Name of the identity provider; `group_saml` for that of a group'),
        extern_uid: text('ID of the user at the provider'),
        saml_provider_id: optional(integer('ID of the provider of a group')),
      }),
    ),
  ),
  can_create_group: flag('Whether the user may create top-level groups'),
  can_create_project: flag('Whether the user may create personal projects'),
  two_factor_enabled: flag('Whether two-factor authentication is on'),
  external: flag('Whether the user is external and sees only what was shared with them'),
  private_profile: flag('Whether the profile shows no activity'),
  commit_email: text('Email address of commits that are made in the browser or API'),
}

const adminFields = {
  ...ownFields,
  is_admin: flag('Whether the user is an administrator'),
  note: Nullable(text('Note that administrators keep about the user; null where there is none')),
  current_sign_in_ip: Nullable(text('Address of the last sign-in; null: never')),
  last_sign_in_ip: Nullable(text('Address of the sign-in before the last; null: never')),
  sign_in_count: integer('Number of sign-ins'),
  namespace_id: Nullable(integer('ID of the personal namespace; null where there is none')),
  is_auditor: onTier('premium', flag('Whether the user is an auditor')),
  shared_runners_minutes_limit: onTier('premium', Nullable(integer('CI minutes of a month; null: as the instance says, 0: no limit'))),
  extra_shared_runners_minutes_limit: onTier('premium', Nullable(integer('Additional CI minutes; null where none were bought'))),
}

/** The values of `summaryFields`. */
export const presentSummary = (row: SummaryRow, { url }: Facts) => ({
  id: row.id,
  name: row.name,
  username: row.username,
  state: row.state,
  avatar_url: row.avatar_url && `${url}${row.avatar_url}`,
  web_url: `${url}/${row.username}`,
})

/** The values of `extendedFields`. */
export const presentExtended = (row: ExtendedRow, facts: Facts) => ({
  ...presentSummary(row, facts),
  created_at: row.created_at,
  bio: row.bio,
  location: row.location,
  public_email: row.public_email,
  skype: row.skype,
  linkedin: row.linkedin,
  twitter: row.twitter,
  website_url: row.website_url,
  organization: row.organization,
})

const profile = (row: UserRow, facts: Facts) => ({
  ...presentExtended(row, facts),
  job_title: row.job_title,
  pronouns: row.pronouns,
  bot: row.kind === 'project_bot',
})

type Identities = ReadonlyMap<number, readonly IdentityRow[]>

const own = (row: UserRow, identities: Identities, facts: Facts) => ({
  ...profile(row, facts),
  last_sign_in_at: row.last_sign_in_at,
  confirmed_at: row.confirmed_at,
  last_activity_on: row.last_activity_on,
  email: row.email,
  theme_id: row.theme_id,
  color_scheme_id: row.color_scheme_id,
  projects_limit: row.projects_limit,
  current_sign_in_at: row.current_sign_in_at,
  identities: (identities.get(row.id) ?? []).map(({ provider, extern_uid, saml_provider_id }) =>
    saml_provider_id === null ? { provider, extern_uid } : { provider: 'group_saml', extern_uid, saml_provider_id },
  ),
  can_create_group: row.can_create_group,
  can_create_project: row.projects_limit > 0,
  two_factor_enabled: row.two_factor_enabled,
  external: row.external,
  private_profile: row.private_profile,
  commit_email: commitEmailOf(row),
})

/** The user summary of document 1, embedded in most answers. */
export const UserSummary = entity({
  name: 'UserSummary',
  schema: Type.Object(summaryFields),
  present: (row: SummaryRow, _loaded: undefined, facts) => presentSummary(row, facts),
})

/** A user as seen by other signed-in users. */
export const UserProfile = entity({
  name: 'User',
  schema: Type.Object(profileFields),
  present: (row: UserRow, _loaded: undefined, facts) => profile(row, facts),
})

/** A user, with their identities where they were read together. */
type OwnRow = UserRow & { readonly identities?: IdentityRow[] }

/** A user as seen by themselves. Administrators see `is_admin` here too. */
export const CurrentUser = entity({
  name: 'CurrentUser',
  schema: Type.Object({ ...ownFields, is_admin: optional(flag('Whether the user is an administrator')) }),
  load: async ({ db }, rows: readonly OwnRow[]): Promise<Identities> => {
    const found = new Map(rows.flatMap(row => (row.identities ? [[row.id, row.identities] as const] : [])))
    return found.size === rows.length
      ? found
      : identitiesOf(
          db,
          rows.map(row => row.id),
        )
  },
  present: (row: OwnRow, identities: Identities, facts) => ({ ...own(row, identities, facts), ...(row.admin ? { is_admin: true } : {}) }),
})

/** A user as seen by administrators. */
export const UserForAdmins = entity({
  name: 'UserForAdmins',
  schema: Type.Object(adminFields),
  load: ({ db }, rows: readonly UserRow[]) =>
    identitiesOf(
      db,
      rows.map(row => row.id),
    ),
  present: (row: UserRow, identities: Identities, facts) => ({
    ...own(row, identities, facts),
    is_admin: row.admin,
    note: row.note,
    current_sign_in_ip: row.current_sign_in_ip,
    last_sign_in_ip: row.last_sign_in_ip,
    sign_in_count: row.sign_in_count,
    namespace_id: row.namespace_id,
    is_auditor: row.auditor,
    shared_runners_minutes_limit: row.shared_runners_minutes_limit,
    extra_shared_runners_minutes_limit: row.extra_shared_runners_minutes_limit,
  }),
})

/** The last activity of a user: only the day is stored. */
export const Activity = entity({
  name: 'UserActivity',
  // Contract: `last_activity_at` is an older name of `last_activity_on` and contains a day too (users API).
  schema: Type.Object({
    username: text('Username, without `@`'),
    last_activity_on: Day('Day of the last activity; null: none yet'),
    last_activity_at: Day('When something last happened'),
  }),
  present: ({ username, last_activity_on }: ActivityRow) => ({ username, last_activity_on, last_activity_at: last_activity_on }),
})
