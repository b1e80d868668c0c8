/** Memberships that a sign-in provider owns: they follow the groups of the person there. One that was given or changed by hand is nobody's but theirs. */
import { sql } from 'kysely'
import type { ProvidedRole } from '../../identity/providers/provider.ts'
import type { GivenBy, ProvidedBy, ProviderMembership } from '../../identity/providers/roles.ts'
import { type Role, roles } from '../../platform/access/abilities.ts'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import type { Db } from '../../platform/db/connection.ts'
import { changesBetween } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { linkedLevels } from '../ldap_links/queries.ts'
import { ensureMember } from './commands.ts'
import { namedRights } from './named_rights.ts'
import { hasOtherOwner } from './queries.ts'

/** A level in a group, and whether a link of the group gives it, and not the file of providers. */
interface Wanted {
  readonly level: Role
  readonly byLink: boolean
}

/**
 * Makes the memberships that a provider owns those of the roles of its file, and of the links that groups have to it; of several the highest level
 * counts. A group that does not exist is left out, and the log says so. The last owner of a group loses what the file gave: what the provider takes
 * away must be gone, and administrators of the instance give the group another owner. What a link of the group itself gave its last owner stays.
 */
export async function syncProvidedRoles(ctx: Context, by: GivenBy, from: ProvidedBy): Promise<void> {
  const wanted = await wantedByGroup(ctx, from.roles, from.directory)
  for (const owned of await ownedMemberships(ctx.db, by)) {
    const { level, byLink = false } = wanted.get(owned.namespace_id) ?? {}
    // Else it was changed or ended by hand.
    const isTheirs = owned.current_level === owned.access_level
    if (isTheirs && level === owned.access_level) {
      if (byLink !== owned.by_link) await keepLevel(ctx.db, by, owned.namespace_id, { level, byLink })
      wanted.delete(owned.namespace_id)
      continue
    }
    if (isTheirs && owned.by_link && (await isLastOwner(ctx.db, by, owned))) {
      wanted.delete(owned.namespace_id)
      continue
    }
    if (isTheirs && level !== undefined && (await changeLevel(ctx, by, owned, { level, byLink }))) {
      wanted.delete(owned.namespace_id)
      continue
    }
    if (isTheirs && level === undefined) await endMembership(ctx, by, owned)
    await ctx.db
      .deleteFrom('provided_memberships')
      .where('identity_id', '=', by.identityId)
      .where('namespace_id', '=', owned.namespace_id)
      .execute()
  }
  for (const [namespace_id, { level: access_level, byLink: by_link }] of wanted) {
    // Who is a member by hand stays what they are.
    if (await ensureMember(ctx, { namespace_id }, { user_id: by.userId, access_level }))
      await ctx.db.insertInto('provided_memberships').values({ identity_id: by.identityId, namespace_id, access_level, by_link }).execute()
  }
}

/**
 * Takes from the members of a group what links of a directory gave them that is not asked any more: nobody knows who of them the links are for that
 * are left, so all of them keep no more than the highest of these gives.
 */
export async function limitLinkedMembers(ctx: Context, namespaceId: number, provider: string, highest: Role | undefined): Promise<void> {
  const given = await ctx.db
    .selectFrom('provided_memberships')
    .innerJoin('identities', 'identities.id', 'provided_memberships.identity_id')
    .select(['identities.id as identityId', 'identities.user_id as userId', 'namespace_id', 'access_level'])
    .where('identities.provider', '=', provider)
    .where('namespace_id', '=', namespaceId)
    .where('by_link', '=', true)
    .where('access_level', '>', highest ?? 0)
    .orderBy('identities.id')
    .execute()
  for (const { identityId, userId, ...owned } of given) {
    const by: GivenBy = { identityId, userId }
    if (await isLastOwner(ctx.db, by, owned)) continue
    if (highest !== undefined && (await changeLevel(ctx, by, owned, { level: highest, byLink: true }))) continue
    if (highest === undefined) await endMembership(ctx, by, owned)
    await ctx.db.deleteFrom('provided_memberships').where('identity_id', '=', identityId).where('namespace_id', '=', namespaceId).execute()
  }
}

async function wantedByGroup(
  ctx: Context,
  given: readonly ProvidedRole[],
  directory: ProviderMembership | undefined,
): Promise<Map<number, Wanted>> {
  const wanted = new Map([...(await levelsByGroup(ctx, given))].map(([id, level]): [number, Wanted] => [id, { level, byLink: false }]))
  for (const [id, level] of directory ? await linkedLevels(ctx, directory) : [])
    if (level > (wanted.get(id)?.level ?? 0)) wanted.set(id, { level, byLink: true })
  return wanted
}

/** Is the person the last owner of the group? Of two owners who lose it at the same time the second one is. */
async function isLastOwner(db: Db, { userId }: GivenBy, owned: Owned) {
  if (owned.access_level !== roles.owner) return false
  const { traversal_ids } = await db
    .selectFrom('namespaces')
    .select('traversal_ids')
    .where('id', '=', owned.namespace_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const place = { key: { namespace_id: owned.namespace_id }, above: traversal_ids.slice(0, -1), ownerId: null, role: roles.none }
  return !(await hasOtherOwner(db, place, userId))
}

const keepLevel = (db: Db, { identityId }: GivenBy, namespaceId: number, { level, byLink }: Wanted) =>
  db
    .updateTable('provided_memberships')
    .set({ access_level: level, by_link: byLink })
    .where('identity_id', '=', identityId)
    .where('namespace_id', '=', namespaceId)
    .execute()

/** The highest level for each group. */
async function levelsByGroup({ db, log }: Context, roles: readonly ProvidedRole[]): Promise<Map<number, Role>> {
  const levels = new Map<number, Role>()
  if (roles.length === 0) return levels
  const paths = [...new Set(roles.map(({ path }) => path.toLowerCase()))]
  const found = await db
    .selectFrom('routes')
    .innerJoin('namespaces', 'namespaces.id', 'routes.namespace_id')
    .select(['namespaces.id', 'routes.path'])
    .where('namespaces.kind', '=', 'group')
    .where(sql<boolean>`lower(routes.path) = any(${paths})`)
    .execute()
  const ids = new Map(found.map(({ id, path }) => [path.toLowerCase(), id]))
  for (const { path, access_level } of roles) {
    const id = ids.get(path.toLowerCase())
    if (id === undefined) log.warn({ path }, 'a sign-in provider gives a role in a group that does not exist')
    else levels.set(id, Math.max(access_level, levels.get(id) ?? 0) as Role)
  }
  return levels
}

/** What the provider owns, with the level that the membership has now. */
const ownedMemberships = (db: Db, { identityId, userId }: GivenBy) =>
  db
    .selectFrom('provided_memberships')
    .leftJoin('members', join =>
      join
        .onRef('members.namespace_id', '=', 'provided_memberships.namespace_id')
        .on('members.user_id', '=', userId)
        .on(isCurrentMembership('members')),
    )
    .where('provided_memberships.identity_id', '=', identityId)
    .select([
      'provided_memberships.namespace_id',
      'provided_memberships.access_level',
      'provided_memberships.by_link',
      'members.access_level as current_level',
    ])
    .orderBy('provided_memberships.namespace_id')
    .execute()

/** A membership that the provider owns, with the level that it gave. */
interface Owned {
  readonly namespace_id: number
  readonly access_level: number
}

/** Gives another level; false where the membership was changed or ended by hand meanwhile. */
async function changeLevel(ctx: Context, by: GivenBy, { namespace_id, access_level: before }: Owned, wanted: Wanted): Promise<boolean> {
  const { db, now } = ctx
  const { userId } = by
  const { level: access_level } = wanted
  const { numUpdatedRows } = await db
    .updateTable('members')
    .set({ access_level, updated_at: now })
    .where('namespace_id', '=', namespace_id)
    .where('user_id', '=', userId)
    .where('access_level', '=', before)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await keepLevel(db, by, namespace_id, wanted)
  const changes = changesBetween({ access_level: before }, { access_level }, ['access_level'])
  await recordEvent(ctx, { kind: 'member.updated', payload: { user_id: userId, access_level, changes }, namespaceId: namespace_id })
  return true
}

/** Ends a membership, unless it was changed by hand meanwhile. */
async function endMembership(ctx: Context, { userId }: GivenBy, { namespace_id, access_level }: Owned): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('members')
    .where('namespace_id', '=', namespace_id)
    .where('user_id', '=', userId)
    .where('access_level', '=', access_level)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return
  await namedRights.value.dropLost(ctx.db, { place: { namespace_id }, userIds: [userId], ended: { user_id: userId } })
  await recordEvent(ctx, { kind: 'member.removed', payload: { user_id: userId }, namespaceId: namespace_id })
}
