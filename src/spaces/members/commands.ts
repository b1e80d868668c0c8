/** Writes of memberships, for groups and projects. */

import { sql } from 'kysely'
import { placeOfBot } from '../../identity/users/bots.ts'
import { type UserRow, userById } from '../../identity/users/queries.ts'
import { type Role, roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import type { Place, Places } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { changesBetween } from '../../platform/events/audit/changes.ts'
import { recordEvent, recordEvents } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict, forbidden, invalid, methodNotAllowed, notFound } from '../../platform/kernel/errors.ts'
import { removeAccessRequests } from '../access_requests/removal.ts'
import { namedRights } from './named_rights.ts'
import { hasOtherOwner, inheritedLevel, type MemberPlace, type MemberRow, membersOf } from './queries.ts'

/** The terms of a membership. */
export interface MemberTerms {
  readonly access_level: Role
  /** The expiry day; null for never, undefined to leave it unchanged. */
  readonly expires_at?: string | null | undefined
}

const aboutPlace = (place: Place) => ('project_id' in place ? { projectId: place.project_id } : { namespaceId: place.namespace_id })

/** Makes a user a member without a permission check; 409 when they are one already. */
export async function addMember(ctx: Context, place: Place, member: MemberTerms & { readonly user_id: number }): Promise<void> {
  if (!(await ensureMember(ctx, place, member))) throw conflict('Member already exists', { username: ['is a member already'] })
}

/** The same, but an existing membership stays as it is, and the result is false. */
export const ensureMember = async (ctx: Context, place: Place, member: NewMember): Promise<boolean> =>
  (await ensureMembers(ctx, place, [member])).length > 0

type NewMember = MemberTerms & { readonly user_id: number }

/** Makes users members who are none yet, and returns who became one: a fixed number of statements, however many they are. */
export async function ensureMembers(ctx: Context, place: Place, given: readonly NewMember[]): Promise<readonly NewMember[]> {
  if (given.length === 0) return []
  const { db, now } = ctx
  const [column, id] = 'project_id' in place ? ['project_id', place.project_id] : ['namespace_id', place.namespace_id]
  // Before they have a role again: what they were given by name while they had an earlier one has ended.
  await namedRights.value.dropLost(db, { place, userIds: given.map(({ user_id }) => user_id) })
  const { rows } = await sql<{ user_id: number }>`
    insert into members (${sql.ref(column as string)}, user_id, access_level, expires_at, created_by_id, created_at, updated_at)
    select ${id}::bigint, given.user_id, given.access_level, given.expires_at, ${ctx.actor.user?.id ?? null}::bigint, ${now}::timestamptz, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(given)}::json) as given(user_id bigint, access_level smallint, expires_at date)
    -- An expired membership does not count, so a new one takes its row.
    on conflict (${sql.ref(column as string)}, user_id) do update
      set access_level = excluded.access_level, expires_at = excluded.expires_at, created_by_id = excluded.created_by_id,
          created_at = excluded.created_at, updated_at = excluded.updated_at
      where not ${isCurrentMembership('members')}
    returning user_id`.execute(db)
  if (rows.length === 0) return []
  const ids = new Set(rows.map(({ user_id }) => user_id))
  const added = given.filter(({ user_id }) => ids.has(user_id))
  await removeAccessRequests(db, place, [...ids])
  await recordEvents<'member.added'>(
    ctx,
    added.map(({ user_id, access_level }) => ({
      kind: 'member.added',
      payload: { user_id, access_level },
      actorId: ctx.actor.user?.id,
      ...aboutPlace(place),
    })),
  )
  return added
}

/**
 * Adds a user for the caller. 404 for an unknown user, 409 for a member, 403 for a level above the caller's own, 400 for a level below the
 * one that the user inherits from a group.
 */
export async function admitMember(
  ctx: Context,
  place: MemberPlace,
  member: MemberTerms & { readonly user_id: number },
): Promise<MemberRow> {
  assertTerms(ctx, place, member)
  await assertNotLocked(ctx.db, place.key)
  const user = await userById(ctx.db, member.user_id)
  if (!user) throw notFound('User')
  if (await isBotOfElsewhere(ctx.db, place, user)) throw invalid({ user_id: [BOT_OF_ELSEWHERE] })
  await assertNotBelowInherited(ctx, place, member.user_id, member.access_level)
  await addMember(ctx, place.key, member)
  return memberAfter(ctx, place, member.user_id)
}

const isSamePlace = (one: Place, other: Place): boolean =>
  'project_id' in one
    ? 'project_id' in other && one.project_id === other.project_id
    : 'namespace_id' in other && one.namespace_id === other.namespace_id

/** Contract: the words of the API. */
const BOT_OF_ELSEWHERE = 'project bots cannot be added to other groups / projects'

/**
 * Is the user the bot of a token of another project or group? Those who renew the token there would have the role of the bot here. A bot has the places
 * below its own without being added to them.
 */
async function isBotOfElsewhere(db: Db, { key }: MemberPlace, { id, kind }: Pick<UserRow, 'id' | 'kind'>): Promise<boolean> {
  if (kind !== 'project_bot') return false
  const home = await placeOfBot(db, id)
  return home === undefined || !isSamePlace(home, key)
}

/**
 * Does the group of this project keep users from becoming members of it (`membership_lock`)? Only the project's own group counts (public
 * documentation: the setting does not cascade). Bots of tokens are no people, and the owner of a personal project is in no group.
 */
export async function isMembershipLocked(db: Db, place: Place): Promise<boolean> {
  if (!('project_id' in place)) return false
  const locked = await db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select('projects.id')
    .where('projects.id', '=', place.project_id)
    .where('namespaces.membership_lock', '=', true)
    .executeTakeFirst()
  return locked !== undefined
}

/** Contract: 405 for a member who cannot be added because of the group's lock (members API, public behaviour of the premium tier). */
export async function assertNotLocked(db: Db, place: Place): Promise<void> {
  if (await isMembershipLocked(db, place)) throw methodNotAllowed('The group does not allow members to be added to its projects')
}

/** The result of adding several users. */
export interface Additions {
  readonly status: 'success' | 'error'
  /** The reasons, by user id, for users who could not be added. */
  readonly message?: Record<string, string>
}

/** Adds several users independently: one who cannot be added does not affect the others (members API). */
export async function admitMembers(ctx: Context, place: MemberPlace, userIds: readonly number[], terms: MemberTerms): Promise<Additions> {
  assertTerms(ctx, place, terms)
  await assertNotLocked(ctx.db, place.key)
  const message: Record<string, string> = {}
  for (const id of new Set(userIds)) {
    const reason = await whyNotAdded(ctx, place, id, terms)
    if (reason) message[id] = reason
    else await addMember(ctx, place.key, { ...terms, user_id: id })
  }
  return Object.keys(message).length > 0 ? { status: 'error', message } : { status: 'success' }
}

/** The reason why a user cannot be added; undefined if they can. */
export async function whyNotAdded(ctx: Context, place: MemberPlace, userId: number, terms: MemberTerms): Promise<string | undefined> {
  const user = await userById(ctx.db, userId)
  if (!user) return 'User not found'
  if (await isBotOfElsewhere(ctx.db, place, user)) return BOT_OF_ELSEWHERE
  if ((await membersOf(ctx.db, place, { user_ids: [userId] }).execute()).length > 0) return 'Member already exists'
  const inherited = await inheritedLevel(ctx.db, place, userId)
  return inherited && inherited.access_level > terms.access_level ? `Access level ${belowInherited(inherited)}` : undefined
}

/** Changes a membership. 403 for the last owner, for the owner of a personal project, and above the caller's own level. */
export async function changeMember(ctx: Context, place: MemberPlace, member: MemberRow, terms: MemberTerms): Promise<MemberRow> {
  assertTerms(ctx, place, terms)
  assertNotHigher(ctx, place, member)
  await assertNotBelowInherited(ctx, place, member.id, terms.access_level)
  const staysOwner = terms.access_level === roles.owner && !terms.expires_at
  if (!staysOwner) await assertNotLastOwner(ctx, place, member)
  await ctx.db
    .updateTable('members')
    .set({
      access_level: terms.access_level,
      ...(terms.expires_at === undefined ? {} : { expires_at: terms.expires_at }),
      updated_at: ctx.now,
    })
    .where('user_id', '=', member.id)
    .where(({ and }) => and(place.key))
    .execute()
  await recordEvent(ctx, {
    kind: 'member.updated',
    payload: {
      user_id: member.id,
      access_level: terms.access_level,
      changes: changesBetween(member, terms, ['access_level', 'expires_at']),
    },
    actorId: ctx.actor.user?.id,
    ...aboutPlace(place.key),
  })
  return memberAfter(ctx, place, member.id)
}

/** Changes the expiry of a membership without a permission check; null for never. */
export async function setMembershipEnd(ctx: Context, place: Place, userId: number, expiresAt: string | null): Promise<void> {
  await ctx.db
    .updateTable('members')
    .set({ expires_at: expiresAt, updated_at: ctx.now })
    .where('user_id', '=', userId)
    .where(({ and }) => and(place))
    .execute()
}

/** Ends a membership. Members may end their own; `manages` says whether the caller may end those of others. */
export async function removeMember(ctx: Context, place: MemberPlace, member: MemberRow, manages: boolean): Promise<void> {
  if (member.id !== ctx.actor.user?.id) {
    if (!manages) throw forbidden()
    assertNotHigher(ctx, place, member)
  }
  await assertNotLastOwner(ctx, place, member)
  await ctx.db
    .deleteFrom('members')
    .where('user_id', '=', member.id)
    .where(({ and }) => and(place.key))
    .returning('id')
    .executeTakeFirstOrThrow()
  await namedRights.value.dropLost(ctx.db, { place: place.key, userIds: [member.id], ended: { user_id: member.id } })
  await recordEvent(ctx, {
    kind: 'member.removed',
    payload: { user_id: member.id },
    actorId: ctx.actor.user?.id,
    ...aboutPlace(place.key),
  })
}

/** Ends all memberships in places that are being deleted. */
export async function removeMembersOf(db: Db, { namespaceIds, projectIds }: Places): Promise<void> {
  await db.deleteFrom('members').where('namespace_id', '=', anyOf(namespaceIds)).execute()
  await db.deleteFrom('members').where('project_id', '=', anyOf(projectIds)).execute()
}

async function memberAfter({ db }: Context, place: MemberPlace, userId: number): Promise<MemberRow> {
  return membersOf(db, place, { user_ids: [userId] }).executeTakeFirstOrThrow()
}

/** No user grants more than their own level (403), and no membership expires in the past (400). */
export function assertTerms(ctx: Context, place: MemberPlace, terms: MemberTerms): void {
  if (terms.expires_at && terms.expires_at <= ctx.now.toISOString().slice(0, 10))
    throw invalid({ expires_at: ['cannot be a date in the past'] })
  if (!isAdmin(ctx.actor) && terms.access_level > place.role) throw forbidden('You cannot give a higher access level than your own')
}

function assertNotHigher(ctx: Context, place: MemberPlace, member: MemberRow): void {
  if (!isAdmin(ctx.actor) && member.access_level > place.role) throw forbidden()
}

/** A group always has an owner, and a personal project always has its user (members API: 403). */
export async function assertNotLastOwner(ctx: Context, place: MemberPlace, member: MemberRow): Promise<void> {
  if ('project_id' in place.key) {
    if (place.ownerId === member.id) throw forbidden('This is the project of the member')
    return
  }
  if (member.access_level !== roles.owner) return
  // Two owners who remove each other concurrently: the second one checks after the first has finished.
  await ctx.db.selectFrom('namespaces').select('id').where('id', '=', place.key.namespace_id).forNoKeyUpdate().execute()
  if (!(await hasOtherOwner(ctx.db, place, member.id))) throw forbidden('A group needs an owner')
}

const belowInherited = (inherited: { access_level: number; group_name: string }): string =>
  `should be greater than or equal to ${nameOf(inherited.access_level)} inherited membership from group ${inherited.group_name}`

const nameOf = (level: number): string => {
  const name = Object.entries(roles).find(([, value]) => value === level)?.[0] ?? String(level)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

async function assertNotBelowInherited(ctx: Context, place: MemberPlace, userId: number, level: Role): Promise<void> {
  const inherited = await inheritedLevel(ctx.db, place, userId)
  if (inherited && inherited.access_level > level) throw invalid({ access_level: [belowInherited(inherited)] })
}
