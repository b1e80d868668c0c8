/** Reads of shares: the groups that projects and groups are shared with. An expired share does not count. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Place } from '../../platform/access/places.ts'
import { compilableUser, oneGroupVisibleTo, type PersonKind, personKind, personOfKind } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiledPer } from '../../platform/db/statements/compiled.ts'

/** Is the share `shares` not expired? */
export const isCurrentShare: RawBuilder<boolean> = sql<boolean>`(shares.expires_at is null or shares.expires_at > current_date)`

/**
 * Has a group access to the project `projects` in the namespace `home`? It is above the project, or the project or a group above it is shared with it.
 * Where the group of the project locks sharing, shares of the project itself give nothing.
 */
export const groupHasAccess = (groupId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${groupId} = any(home.traversal_ids) or exists (
    select from shares where shares.group_id = ${groupId} and ${isCurrentShare}
       and (shares.namespace_id = any(home.traversal_ids) or (shares.project_id = projects.id and not home.share_with_group_lock))))`

/** Those of the groups that have access to a project. */
export async function groupsWithAccess(db: Db, projectId: number, groupIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (groupIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('projects')
    .innerJoin('namespaces as home', 'home.id', 'projects.namespace_id')
    .innerJoin('namespaces', join => join.on('namespaces.id', '=', anyOf(groupIds)))
    .where('projects.id', '=', projectId)
    .where(groupHasAccess(sql.ref('namespaces.id')))
    .select('namespaces.id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The share of a project or group with one group. */
export const shareWith = (db: Db, place: Place, groupId: number) =>
  db
    .selectFrom('shares')
    .selectAll()
    .where(({ and }) => and(place))
    .where('group_id', '=', groupId)
    .where(isCurrentShare)
    .executeTakeFirst()

export type ShareRow = NonNullable<Awaited<ReturnType<typeof shareWith>>>

/** A group that a place is shared with, as the API shows it there. */
export interface SharedGroup {
  readonly group_id: number
  readonly group_name: string
  readonly group_full_path: string
  readonly group_access_level: number
  readonly expires_at: string | null
}

/** The kind of place that is shared, by its column. */
type SharedKind = 'project_id' | 'namespace_id'

/**
 * Groups that places are shared with, as far as the actor may see them. The few that are private are looked up one by one: finding all groups of the
 * actor first takes longer than everything else about a page.
 */
const sharedGroups = (db: Db, actor: Actor, kind: SharedKind, ids: readonly number[]) =>
  db
    .selectFrom('shares')
    .innerJoin('namespaces', 'namespaces.id', 'shares.group_id')
    .innerJoin('routes', 'routes.namespace_id', 'shares.group_id')
    .where(`shares.${kind}`, '=', anyOf(ids))
    .where(isCurrentShare)
    .where(oneGroupVisibleTo(actor) as RawBuilder<boolean>)
    .select(({ ref }) => [
      ref(`shares.${kind}`).$notNull().as('shared_id'),
      'shares.group_id',
      'namespaces.name as group_name',
      'routes.path as group_full_path',
      'shares.access_level as group_access_level',
      'shares.expires_at',
    ])
    .orderBy('shares.id')

/** The same, built once for each kind of user. */
const sharedGroupsFor = compiledPer((shape: `${PersonKind} ${SharedKind}`) => {
  const [person, kind] = shape.split(' ') as [PersonKind, SharedKind]
  return (db, userId: number, ids: readonly number[]) => sharedGroups(db, personOfKind(person, userId), kind, ids)
})

/**
 * The groups that these projects, or groups, are shared with, by the id of the shared place, in the order of sharing: one statement for a
 * page. Groups that the actor may not see are left out.
 */
export async function sharedGroupsOf(
  { db, actor }: { db: Db; actor: Actor },
  kind: SharedKind,
  ids: readonly number[],
): Promise<Map<number, SharedGroup[]>> {
  const user = compilableUser(actor)
  const rows = user
    ? await sharedGroupsFor(db, `${personKind(user)} ${kind}`, user.id, ids)
    : await sharedGroups(db, actor, kind, ids).execute()
  const groups = new Map<number, SharedGroup[]>()
  for (const { shared_id, ...group } of rows) groups.set(shared_id, [...(groups.get(shared_id) ?? []), group])
  return groups
}
