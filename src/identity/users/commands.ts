/** Writes of users. */

import { sql } from 'kysely'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { changesExcept } from '../../platform/events/audit/changes.ts'
import { recordEvent, recordEvents } from '../../platform/events/events.ts'
import { enqueue } from '../../platform/events/worker.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Upload } from '../../platform/kernel/declaration/types.ts'
import { conflict, type Failures, forbidden, invalid, notFound, Refusal } from '../../platform/kernel/errors.ts'
import { hashPassword } from '../../platform/kernel/secrets.ts'
import { writeMail } from '../../platform/mail/outbox.ts'
import { mailOwner } from '../account_mails/recipients.ts'
import { accountApproved, accountRefused, emailChanged, passwordChanged } from '../account_mails/texts.ts'
import { storeAvatar } from '../avatars/commands.ts'
import { sendConfirmation, wantsConfirmation } from '../email_confirmations/links.ts'
import { assertEmailIsFree, isEmail, promoteEmail, removeUnconfirmedEmails } from '../emails/commands.ts'
import { confirmedEmail } from '../emails/confirmed_email.ts'
import { isPrivateEmail, PRIVATE, storedCommitEmail } from '../emails/private_email.ts'
import { keepBlocked, setIdentity } from '../identities/commands.ts'
import { revokeGrantsOf } from '../oauth/grants/revocation.ts'
import { revokePasswordResets } from '../password_resets/revocation.ts'
import { pathProblems } from '../paths/names.ts'
import { createRoute, moveRoute } from '../paths/routes.ts'
import { dropPendingSignIns } from '../two_factor/pending.ts'
import { passkeysOf } from '../two_factor/webauthn/queries.ts'
import { isBreached } from './passwords/breached.ts'
import { type PasswordOwner, passwordProblems } from './passwords/passwords.ts'
import { forgetEmail } from './preferences/own_addresses.ts'
import { type UserRow, userById } from './queries.ts'
import { accountRemoval } from './removal/account_removal.ts'
import { deleteAccount } from './removal/deletion.ts'
import { assertNotLastAdministrator } from './removal/last_administrator.ts'
import { dropProvisionedAccess, wasProvisioned } from './removal/provisioned_access.ts'
import { fireUser, type UserEvent, type UserState } from './states.ts'

/** The attributes that create and update can set. */
export interface UserAttributes {
  name?: string | undefined
  username?: string | undefined
  email?: string | undefined
  /** Becomes the primary one when it is confirmed; null for none. */
  unconfirmed_email?: string | null | undefined
  password?: string | undefined
  admin?: boolean | undefined
  auditor?: boolean | undefined
  external?: boolean | undefined
  private_profile?: boolean | undefined
  can_create_group?: boolean | undefined
  projects_limit?: number | undefined
  bio?: string | undefined
  location?: string | undefined
  public_email?: string | undefined
  skype?: string | undefined
  linkedin?: string | undefined
  twitter?: string | undefined
  website_url?: string | undefined
  organization?: string | undefined
  job_title?: string | undefined
  pronouns?: string | undefined
  note?: string | undefined
  /** Null or empty: the primary address; `_private`: the one that takes no mail. */
  commit_email?: string | null | undefined
  theme_id?: number | undefined
  color_scheme_id?: number | undefined
  shared_runners_minutes_limit?: number | undefined
  extra_shared_runners_minutes_limit?: number | undefined
  /** Is this email confirmed? Default: yes. */
  confirmed?: boolean | undefined
  /** Null removes it. */
  avatar?: Upload | null | undefined
  /** With `extern_uid`: who they are at an identity provider. */
  provider?: string | undefined
  extern_uid?: string | undefined
}

export interface NewUser extends UserAttributes {
  name: string
  username: string
  email: string
  /** Without a password the user signs in by other means, or it is set later. */
  password?: string | undefined
  /** It is active when an administrator approves it. */
  awaitsApproval?: boolean | undefined
}

async function assertAttributes(
  { email, username, password, public_email, commit_email }: UserAttributes,
  { deps: { config }, db }: Pick<Context, 'db' | 'deps'>,
  owners: readonly PasswordOwner[],
): Promise<void> {
  const failures: Failures = {}
  for (const [name, address] of Object.entries({ email, public_email, commit_email: commit_email === PRIVATE ? null : commit_email }))
    if (address && (!isEmail(address) || (await isPrivateEmail(db, address)))) failures[name] = ['is invalid']
  if (username !== undefined) {
    const problems = pathProblems(username, 'top')
    if (problems.length > 0) failures.username = problems
  }
  const host = config.externalUrl && new URL(config.externalUrl).hostname
  const weaknesses =
    password === undefined ? [] : await passwordProblems(password, owners, host, (await applicationSettings(db)).minimum_password_length)
  if (weaknesses.length > 0) failures.password = weaknesses
  else if (
    password !== undefined &&
    config.breachedPasswordsFile !== undefined &&
    (await isBreached(config.breachedPasswordsFile, password))
  )
    failures.password = ['is known from a breach of another service']
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

/** Emails and usernames are unique in the instance, ignoring case: 409 (decision 13). */
function rethrowTaken(error: unknown): never {
  switch (uniqueViolation(error)) {
    case 'users_email_key':
      throw conflict('Email has already been taken')
    case 'users_username_key':
      throw conflict('Username has already been taken')
    default:
      throw error
  }
}

/** Creates a user with their personal namespace. */
export async function createUser(ctx: Context, attributes: NewUser): Promise<UserRow> {
  await assertEmailIsFree(ctx, attributes.email, undefined)
  return (await userById(ctx.db, await makeUser(ctx, attributes))) as UserRow
}

/** The same for a caller that has checked that the email is free (identity/emails/queries.ts holderOfEmail). Returns the id. */
export async function makeUser(ctx: Context, attributes: NewUser): Promise<number> {
  const { db } = ctx
  await assertAttributes(attributes, ctx, [attributes])
  const standard = await applicationSettings(db)
  const { password, awaitsApproval = false, confirmed = !awaitsApproval, avatar, provider, extern_uid, ...columns } = attributes
  const { id } = await db
    .insertInto('users')
    .values({
      ...columns,
      commit_email: columns.commit_email || null,
      external: columns.external ?? standard.user_default_external,
      projects_limit: columns.projects_limit ?? standard.default_projects_limit,
      ...(awaitsApproval ? { state: 'blocked_pending_approval' as const } : {}),
      password_digest: password === undefined ? null : await hashPassword(password),
      confirmed_at: confirmed ? ctx.now : null,
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(rethrowTaken)
  const own = { path: attributes.username, name: attributes.name }
  await createRoute(db, { namespace_id: await makeNamespace(db, id, own, standard.default_branch_protection) }, undefined, own).catch(
    asUsernameTaken,
  )
  if (avatar) await setAvatar(ctx, id, avatar)
  await setIdentity(ctx, id, { provider, extern_uid })
  const { admin } = attributes
  const external = attributes.external ?? (standard.user_default_external || undefined)
  await recordEvent(ctx, { kind: 'user.created', payload: { user_id: id, admin, external }, actorId: ctx.actor.user?.id })
  if (confirmed) await ownEmail(ctx, id, attributes.email)
  return id
}

/** The consequences of an address becoming the confirmed primary one. */
async function ownEmail(ctx: Context, userId: number, email: string): Promise<void> {
  await removeUnconfirmedEmails(ctx, email)
  await confirmedEmail.value(ctx, userId, email)
}

/** A user's avatar is also their namespace's. */
async function setAvatar(ctx: Context, id: number, avatar: Upload | null): Promise<void> {
  const avatar_url = await storeAvatar(ctx, { user_id: id }, avatar)
  await ctx.db.updateTable('users').set({ avatar_url }).where('id', '=', id).execute()
  await ctx.db.updateTable('namespaces').set({ avatar_url }).where('owner_id', '=', id).execute()
}

/**
 * Creates a user's personal namespace. One statement, although the row contains its own id: a second one would write all its indexes again.
 */
async function makeNamespace(
  db: Db,
  userId: number,
  { path, name }: { path: string; name: string },
  branchProtection: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with fresh as (select nextval(pg_get_serial_sequence('namespaces', 'id')) as id)
    insert into namespaces (id, traversal_ids, kind, owner_id, path, name, visibility, default_branch_protection) overriding system value
    select id, array[id], 'user', ${userId}, ${path}, ${name}, 'public', ${branchProtection} from fresh
    returning id`.execute(db)
  return (rows[0] as { id: number }).id
}

/** The path may belong to a group; for the caller the username is taken. */
function asUsernameTaken(error: unknown): never {
  if (error instanceof Refusal && error.kind === 'conflict') throw conflict('Username has already been taken')
  throw error
}

/** What people tell of themselves and how pages look to them. All else of an account determines its permissions, limits or identity. */
const cosmetic = [
  'bio',
  'location',
  'skype',
  'linkedin',
  'twitter',
  'website_url',
  'organization',
  'job_title',
  'pronouns',
  'note',
  'theme_id',
  'color_scheme_id',
]

/** Updates a user; a new username moves their personal namespace and everything in it. */
export async function updateUser(ctx: Context, user: UserRow, given: UserAttributes): Promise<UserRow> {
  const { db } = ctx
  const attributes = { ...given, commit_email: storedCommitEmail(given.commit_email, user.private_email) }
  // A bot is represented by its token: its manager would gain these permissions.
  if (user.kind !== 'human' && (attributes.admin || attributes.password !== undefined)) throw forbidden()
  if (attributes.admin === false) await assertNotLastAdministrator(db, user.id)
  await assertAttributes(attributes, ctx, [user, attributes])
  if (attributes.email !== undefined) await promoteEmail(ctx, user.id, attributes.email)
  else if (attributes.confirmed === true) await assertEmailIsFree(ctx, user.email, user.id)
  const { password, confirmed, avatar, provider, extern_uid, ...rest } = attributes
  const isReleased = attributes.admin === true && !user.admin && (await wasProvisioned(db, user.id))
  const changesPassword = password !== undefined || (isReleased && user.password_digest !== null)
  const columns = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as UserAttributes
  await db
    .updateTable('users')
    .set({
      ...(isReleased && { unconfirmed_email: null }),
      ...columns,
      ...(changesPassword && { password_digest: password === undefined ? null : await hashPassword(password) }),
      ...(confirmed === undefined ? {} : { confirmed_at: confirmed ? ctx.now : null }),
      ...(attributes.email === undefined ? {} : { unconfirmed_email: null }),
      updated_at: ctx.now,
    })
    .where('id', '=', user.id)
    .execute()
    .catch(rethrowTaken)
  if (avatar !== undefined) await setAvatar(ctx, user.id, avatar)
  if (isReleased) await dropProvisionedAccess(ctx, user)
  await setIdentity(ctx, user.id, { provider, extern_uid })
  if (columns.email !== undefined && columns.email.toLowerCase() !== user.email.toLowerCase()) await forgetEmail(ctx, user.id, user.email)
  // Ends all sessions, the caller's too, and all grants, because they may belong to someone who knew the old password; personal tokens
  // stay.
  if (password !== undefined || isReleased) await endSignIns(ctx, user.id)
  if (columns.admin === false && user.admin) await endActing(ctx, user.id)
  if (columns.username !== undefined || columns.name !== undefined) {
    const own = { path: columns.username ?? user.username, name: columns.name ?? user.name }
    await db
      .updateTable('namespaces')
      .set({ ...own, updated_at: ctx.now })
      .where('owner_id', '=', user.id)
      .execute()
    if (user.namespace_id !== null) await moveRoute(db, { namespace_id: user.namespace_id }, undefined, own).catch(asUsernameTaken)
  }
  const updated = (await userById(db, user.id)) as UserRow
  // An address that stays confirmed, or unconfirmed, is no change.
  const confirmationChanged = (user.confirmed_at === null) !== (updated.confirmed_at === null)
  const after = { ...columns, ...(confirmationChanged && { confirmed_at: updated.confirmed_at }) }
  const changes = changesExcept(user, after, cosmetic)
  await recordEvents(ctx, [
    ...(changesPassword ? [{ kind: 'user.password_changed' as const, payload: { user_id: user.id } }] : []),
    { kind: 'user.updated' as const, payload: { id: user.id, name: user.username, changes } },
  ])
  // To the address of before: an attacker who took the account over has chosen the new one.
  if (changesPassword) await mailOwner(ctx, user, passwordChanged(user.username, await passkeysOf(db, user.id)))
  if (updated.email.toLowerCase() !== user.email.toLowerCase()) await mailOwner(ctx, user, emailChanged(user.username, updated.email))
  const isNowTheirs = updated.confirmed_at !== null && (columns.email !== undefined || confirmed === true)
  if (isNowTheirs) await ownEmail(ctx, user.id, updated.email)
  return updated
}

/**
 * Deletes a user with their personal projects. With `hardDelete` groups of which they are the only owner are deleted too, and what they
 * wrote elsewhere. Without it such a group is a conflict, and what they wrote elsewhere is reassigned to the ghost user.
 */
export async function removeUser(ctx: Context, user: UserRow, hardDelete: boolean): Promise<void> {
  const { db } = ctx
  if (user.id === ctx.actor.user?.id) throw forbidden('You cannot delete yourself')
  await assertNotLastAdministrator(db, user.id)
  await accountRemoval.value.removeSpaces(ctx, user, hardDelete)
  if (user.namespace_id !== null) await db.deleteFrom('namespaces').where('id', '=', user.namespace_id).execute()
  await deleteAccount(ctx, user, { writings: hardDelete ? 'removed' : 'kept' })
}

/** Blocks, unblocks, bans, unbans, activates, deactivates or approves a user; an impossible transition is a 403. Returns the state before. */
export async function moveUser(ctx: Context, user: UserRow, event: UserEvent): Promise<UserState> {
  const locked = await ctx.db.selectFrom('users').select(['id', 'state']).where('id', '=', user.id).forUpdate().executeTakeFirst()
  if (!locked) throw notFound('User')
  if (user.id === ctx.actor.user?.id && event !== 'activate' && event !== 'unblock') throw forbidden(`You cannot ${event} yourself`)
  if (event === 'block' || event === 'ban' || event === 'deactivate') await assertNotLastAdministrator(ctx.db, user.id)
  const from = locked.state as UserState
  const state = await fireUser(ctx.db, locked, event)
  if (state !== locked.state)
    await recordEvent(ctx, { kind: 'user.state_changed', payload: { user_id: user.id, from: locked.state, to: state } })
  if (locked.state === 'blocked_pending_approval' && state === 'active') await admit(ctx, user)
  // Also of one that a directory has blocked already.
  if (event === 'block' && ctx.actor.user) await keepBlocked(ctx, user.id)
  if (event === 'block' || event === 'ban' || event === 'deactivate') {
    await endSignIns(ctx, user.id)
    await enqueue(ctx.db, 'drop_work_of_user', { user_id: user.id })
  }
  return from
}

/** An account was approved: its owner gets a mail. Who approves it vouches for its address, unless the instance has the owner confirm it. */
async function admit(ctx: Context, user: UserRow): Promise<void> {
  if (user.confirmed_at === null) {
    if (wantsConfirmation(ctx, await applicationSettings(ctx.db))) {
      await sendConfirmation(ctx, { user, email: user.email, as: 'first' })
      return
    }
    await assertEmailIsFree(ctx, user.email, user.id)
    await ctx.db.updateTable('users').set({ confirmed_at: ctx.now }).where('id', '=', user.id).execute()
    await ownEmail(ctx, user.id, user.email)
  }
  await mailOwner(
    ctx,
    { ...user, state: 'active', confirmed_at: ctx.now.toISOString() },
    accountApproved(user.username, `${ctx.url}/users/sign_in`),
  )
}

/** Refuses an account that waits for an approval: it is deleted, and its address gets a mail. 409 where it does not wait. */
export async function rejectUser(ctx: Context, user: UserRow): Promise<void> {
  const locked = await ctx.db.selectFrom('users').select('state').where('id', '=', user.id).forUpdate().executeTakeFirst()
  if (locked?.state !== 'blocked_pending_approval') throw conflict('User does not have a pending request')
  await removeUser(ctx, user, true)
  // The account is gone, and the address may be of a person who did not sign up: it is not greeted by its name.
  await writeMail(ctx, { ...accountRefused(), to: { address: user.email } })
}

/** Ends the sessions of a user and the grants of applications; the user's row is locked. */
async function endSignIns(ctx: Context, userId: number): Promise<void> {
  const ended = await ctx.db.deleteFrom('sessions').where('user_id', '=', userId).returning('id').execute()
  if (ended.length > 0)
    await recordEvent(ctx, { kind: 'session.ended', payload: { user_id: userId, count: ended.length }, actorId: ctx.actor.user?.id })
  await endActing(ctx, userId)
  await revokeGrantsOf(ctx, userId)
  await revokePasswordResets(ctx.db, userId)
  await dropPendingSignIns(ctx.db, userId)
}

/** Nobody acts as the user in the browser any more, and the user as nobody else. It does not begin again when what ended it is taken back. */
async function endActing({ db }: Context, userId: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ acting_as_id: null })
    .where(({ or, eb }) => or([eb('acting_as_id', '=', userId), eb('user_id', '=', userId)]))
    .where('acting_as_id', 'is not', null)
    .execute()
}

/** Keeps whether the account needs a second factor besides its password (two_factor/commands.ts). */
export async function setTwoFactor(db: Db, userId: number, isOn: boolean): Promise<void> {
  await db.updateTable('users').set({ two_factor_enabled: isOn }).where('id', '=', userId).execute()
}

/** Counts a sign-in on the web pages and records its address. */
export async function countSignIn(ctx: Context, userId: number): Promise<void> {
  await ctx.db
    .updateTable('users')
    .set(({ eb, ref }) => ({
      sign_in_count: eb('sign_in_count', '+', 1),
      // The last sign-in is the one before this; the first one counts as its own predecessor.
      last_sign_in_at: eb.fn.coalesce(ref('current_sign_in_at'), eb.val(ctx.now)),
      last_sign_in_ip: eb.fn.coalesce(ref('current_sign_in_ip'), eb.val(ctx.request.ip)),
      current_sign_in_at: ctx.now,
      current_sign_in_ip: ctx.request.ip,
    }))
    .where('id', '=', userId)
    .execute()
}
