/** Writes of SCIM: users are added to a group, changed, deactivated, reactivated and removed (document 1; decision 20). */

import { endSignOns } from '../../identity/saml/sign_ons.ts'
import { type Role, roles } from '../../platform/access/abilities.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import type { AuditDetails } from '../../platform/events/audit/kinds.ts'
import { recordEvents } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { addMember, assertNotLastOwner, removeMember } from '../../spaces/members/commands.ts'
import { inheritedLevel, type MemberPlace, membersOf } from '../../spaces/members/queries.ts'
import { type Account, accountOf, changeAccount, type Person } from './accounts.ts'
import type { Changes } from './protocol/patch.ts'
import { taken } from './protocol/refusals.ts'
import { identityOfUser, isProvisionedBy, lockedScimUser, type ScimGroup, type ScimUserRow, scimUserByUid } from './queries.ts'
import { requireIssuer, takesExistingUser } from './rules.ts'

/** A user to add to a group. */
export interface NewScimUser extends Person {
  readonly externUid: string
  /** False: the user is recorded, but does not become a member yet. */
  readonly active: boolean
}

/** The group as memberships need it. The token acts for the owner who created it. */
const placeOf = (group: ScimGroup): MemberPlace => ({
  key: { namespace_id: group.id },
  above: group.traversal_ids.slice(0, -1),
  ownerId: null,
  role: roles.owner,
})

const record = (ctx: Context, group: ScimGroup, user: { user_id: number; username: string }, details: readonly AuditDetails[]) =>
  recordEvents(
    ctx,
    details.map(what => ({
      kind: 'scim_user.changed' as const,
      payload: { id: group.id, user_id: user.user_id, name: user.username, group_path: group.full_path, details: what },
      namespaceId: group.id,
    })),
  )

/**
 * Adds a user to a group: finds or creates the account, and adds an identity and a membership. A deactivated
 * user is reactivated unchanged. 409 if the id, the account or the email is in use already.
 */
export async function provisionUser(ctx: Context, group: ScimGroup, person: NewScimUser): Promise<ScimUserRow> {
  const { db } = ctx
  const { externUid, active } = person
  await requireIssuer(db, group.traversal_ids[0] as number)
  // Of two requests for one id, the second one finds what the first has created.
  await lockName(db, 'SCIM user', group.id, externUid)
  const known = await scimUserByUid(db, group.id, externUid)
  if (known?.active) throw taken('A user with this externalId exists already')
  if (known) {
    await changeUser(ctx, group, known, { active })
    return { ...known, active }
  }
  const account = await accountOf(ctx, group, person, userId => isMember(ctx, placeOf(group), userId))
  const id = await insertIdentity(ctx, group, account, person)
  if (active) await ensureMember(ctx, group, account)
  const { name, username, email, isNew } = account
  const user = { id, user_id: account.id, extern_uid: externUid, user_name: person.userName, active, name, username, email }
  await record(ctx, group, user, [{ custom_message: isNew ? 'User created by SCIM' : 'User linked by SCIM' }])
  return user
}

/** An account has one identity in a group; an inactive one is reused. Returns its id. */
async function insertIdentity(ctx: Context, group: ScimGroup, account: Account, person: NewScimUser): Promise<number> {
  const { db, now } = ctx
  const values = { extern_uid: person.externUid, user_name: person.userName, active: person.active, updated_at: now }
  const own = account.isNew ? undefined : await identityOfUser(db, group.id, account.id)
  if (own?.active) throw taken('The account of this person is provisioned under another externalId')
  if (own) {
    await db.updateTable('scim_identities').set(values).where('id', '=', own.id).execute()
    return own.id
  }
  const { id } = await db
    .insertInto('scim_identities')
    .values({ ...values, group_id: group.id, user_id: account.id, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(rethrowTakenIdentity)
  return id
}

function rethrowTakenIdentity(error: unknown): never {
  const constraint = uniqueViolation(error)
  if (constraint === 'scim_identities_extern_uid_key' || constraint === 'scim_identities_user_key')
    throw taken('A user with this externalId exists already')
  throw error
}

/**
 * Members keep their role; nobody gets a lower role than a group above gives them permanently. 409 for a user with an account of their own whom the
 * instance does not let the provider add, also where the group has had them before: they may have left it since.
 */
async function ensureMember(ctx: Context, group: ScimGroup, account: Pick<Account, 'id' | 'isNew'>): Promise<void> {
  const place = placeOf(group)
  if (!account.isNew && (await memberOf(ctx, place, account.id))) return
  const isOwn = !account.isNew && !(await isProvisionedBy(ctx.db, group, account.id))
  if (isOwn && !(await takesExistingUser(ctx.db, () => isMember(ctx, place, account.id))))
    throw taken('The account is one that SCIM does not add to the group')
  const inherited = place.above.length > 0 ? await inheritedLevel(ctx.db, place, account.id, true) : undefined
  const level = Math.max(group.default_membership_role, inherited?.access_level ?? 0) as Role
  await addMember(ctx, place.key, { user_id: account.id, access_level: level })
}

/** Is the user a member of the group, or of a group above? */
const isMember = async (ctx: Context, place: MemberPlace, userId: number): Promise<boolean> =>
  (await memberOf(ctx, place, userId)) !== undefined ||
  (place.above.length > 0 && (await inheritedLevel(ctx.db, place, userId)) !== undefined)

const memberOf = ({ db }: Context, place: MemberPlace, userId: number) => membersOf(db, place, { user_ids: [userId] }).executeTakeFirst()

/**
 * Applies the provider's changes, all or nothing. An inactive user is 404 unless the request reactivates them.
 * 403 for the last owner of the group, who cannot be deactivated, and for an account that the provider may not change.
 */
export async function changeUser(ctx: Context, group: ScimGroup, { id }: Pick<ScimUserRow, 'id'>, changes: Changes): Promise<void> {
  const { db } = ctx
  const user = await lockedScimUser(db, group.id, id)
  if (!user || (!user.active && changes.active !== true)) throw notFound('User')
  const { externUid = user.extern_uid, userName = user.user_name, active = user.active } = changes
  const takesAwayAlone = active === false && Object.keys(changes).every(name => name === 'active')
  if (!takesAwayAlone) await requireIssuer(db, group.traversal_ids[0] as number)
  const details: AuditDetails[] = await changeAccount(ctx, group, user, changes)
  if (externUid !== user.extern_uid) details.push({ change: 'extern_uid', from: user.extern_uid, to: externUid })
  if (active !== user.active) details.push({ custom_message: active ? 'User reactivated by SCIM' : 'User deactivated by SCIM' })
  if (!active) await assertMayDeactivate(ctx, group, user)
  await db
    .updateTable('scim_identities')
    .set({ extern_uid: externUid, user_name: userName, active, updated_at: ctx.now })
    .where('id', '=', id)
    .execute()
    .catch(rethrowTakenIdentity)
  if (active && !user.active) await ensureMember(ctx, group, { id: user.user_id, isNew: false })
  // Contract: the identity goes and the membership stays (document 1, SCIM field mapping; decision 20).
  if (!active) await endSignOns(ctx, { groupId: group.id, userId: user.user_id, keepsRoles: true })
  await record(ctx, group, user, details)
}

async function assertMayDeactivate(ctx: Context, group: ScimGroup, user: ScimUserRow): Promise<void> {
  const place = placeOf(group)
  const member = await memberOf(ctx, place, user.user_id)
  if (member) await assertNotLastOwner(ctx, place, member)
}

/** Removes identity and membership; the account stays. 403 for the last owner of the group. */
export async function removeUser(ctx: Context, group: ScimGroup, { id }: Pick<ScimUserRow, 'id'>): Promise<void> {
  const user = await lockedScimUser(ctx.db, group.id, id)
  if (!user) throw notFound('User')
  const place = placeOf(group)
  const member = await memberOf(ctx, place, user.user_id)
  if (member) await removeMember(ctx, place, member, true)
  await ctx.db.deleteFrom('scim_identities').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await endSignOns(ctx, { groupId: group.id, userId: user.user_id, keepsRoles: false })
  await record(ctx, group, user, [{ custom_message: 'User removed by SCIM' }])
}
