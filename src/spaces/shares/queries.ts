/** Reads of shares: the groups that projects and groups are shared with. An expired share does not count. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Place } from '../../platform/access/places.ts'
import { groupVisibleTo } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

/** Is the share `shares` not expired? */
export const isCurrentShare: RawBuilder<boolean> = sql<boolean>`(shares.expires_at is null or shares.expires_at > current_date)`

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

/**
 * The groups that these projects, or groups, are shared with, by the id of the shared place, in the order of sharing: one statement for a
 * page. Groups that the actor may not see are left out.
 */
export async function sharedGroupsOf(
  { db, actor }: { db: Db; actor: Actor },
  kind: 'project_id' | 'namespace_id',
  ids: readonly number[],
): Promise<Map<number, SharedGroup[]>> {
  const rows = await db
    .selectFrom('shares')
    .innerJoin('namespaces', 'namespaces.id', 'shares.group_id')
    .innerJoin('routes', 'routes.namespace_id', 'shares.group_id')
    .where(`shares.${kind}`, '=', anyOf(ids))
    .where(isCurrentShare)
    .where(groupVisibleTo(actor) as RawBuilder<boolean>)
    .select(({ ref }) => [
      ref(`shares.${kind}`).$notNull().as('shared_id'),
      'shares.group_id',
      'namespaces.name as group_name',
      'routes.path as group_full_path',
      'shares.access_level as group_access_level',
      'shares.expires_at',
    ])
    .orderBy('shares.id')
    .execute()
  const groups = new Map<number, SharedGroup[]>()
  for (const { shared_id, ...group } of rows) groups.set(shared_id, [...(groups.get(shared_id) ?? []), group])
  return groups
}
