/** Lists of groups to choose from: those that a place is shared with, can be shared with, or can be moved to (APIs added after 14.0). */
import { type RawBuilder, sql } from 'kysely'
import { roles } from '../../platform/access/abilities.ts'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import type { Place } from '../../platform/access/places.ts'
import { groupVisibleTo, isGroupMember } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { containing } from '../../platform/db/statements/like.ts'
import { type GroupRow, groups } from '../groups/queries.ts'
import { isCurrentShare } from '../shares/queries.ts'

/** Groups visible to the actor whose name or path has this part, by name. */
function visibleGroups(db: Db, actor: Actor, search: string | undefined) {
  const query = groups(db)
    .where(groupVisibleTo(actor) as RawBuilder<boolean>)
    .orderBy(sql`lower(namespaces.name)`)
    .orderBy('namespaces.id')
  if (!search) return query
  const like = containing(search)
  return query.where(({ or, eb }) => or([eb('namespaces.name', 'ilike', like), eb('namespaces.path', 'ilike', like)]))
}

/** Has the actor at least this level in the group `namespaces`? Administrators have every level. */
const hasLevel = (actor: Actor, level: number): RawBuilder<boolean> =>
  isAdmin(actor) ? sql`true` : actor.user ? isGroupMember(actor.user.id, level) : sql`false`

export const invitedRelations = ['direct', 'inherited'] as const

export interface InvitedFilters {
  readonly search?: string | undefined
  readonly min_access_level?: number | undefined
  readonly relation?: readonly (typeof invitedRelations)[number][] | undefined
}

/**
 * The groups that a place is shared with: by itself, and by the groups around it.
 * @param around the ids of these groups
 */
export function invitedGroups(db: Db, actor: Actor, place: Place, around: readonly number[], filters: InvitedFilters) {
  const { search, min_access_level, relation = invitedRelations } = filters
  const direct = 'project_id' in place ? sql`shares.project_id = ${place.project_id}` : sql`shares.namespace_id = ${place.namespace_id}`
  const shared = [
    ...(relation.includes('direct') ? [direct] : []),
    ...(relation.includes('inherited') ? [sql`shares.namespace_id = any(${[...around]}::bigint[])`] : []),
  ]
  const query = visibleGroups(db, actor, search).where(
    sql<boolean>`namespaces.id = any(array(
      select shares.group_id from shares where (${sql.join([...shared, sql`false`], sql` or `)}) and ${isCurrentShare}))`,
  )
  return min_access_level === undefined ? query : query.where(hasLevel(actor, min_access_level))
}

/**
 * The groups that a place can be shared with: those that the actor is in and that neither hold it nor share it yet.
 * @param held the ids of the groups that hold it
 */
export function shareLocations(db: Db, actor: Actor, place: Place, held: readonly number[], search: string | undefined) {
  const shares =
    'project_id' in place
      ? sql<boolean>`shares.project_id = ${place.project_id}`
      : sql<boolean>`shares.namespace_id = ${place.namespace_id}`
  return visibleGroups(db, actor, search)
    .where(hasLevel(actor, roles.guest))
    .where(sql<boolean>`namespaces.id <> all(${[...held]}::bigint[])`)
    .where(sql<boolean>`not exists (select from shares where ${shares} and shares.group_id = namespaces.id and ${isCurrentShare})`)
}

/** The groups that the actor can move a project to: where they may create projects, without the one that has it. */
export function projectDestinations(db: Db, actor: Actor, namespaceId: number, search: string | undefined) {
  return visibleGroups(db, actor, search)
    .where('namespaces.id', '<>', namespaceId)
    .where(
      sql<boolean>`case namespaces.project_creation_level
        when 'developer' then ${hasLevel(actor, roles.developer)}
        when 'maintainer' then ${hasLevel(actor, roles.maintainer)}
        else ${isAdmin(actor)}::boolean end`,
    )
}

/** The groups that the actor can move a group to: those they own, without itself, its parent and what is below it. */
export function groupDestinations(db: Db, actor: Actor, group: Pick<GroupRow, 'id' | 'parent_id'>, search: string | undefined) {
  return visibleGroups(db, actor, search)
    .where('namespaces.id', 'is distinct from', group.parent_id)
    .where(sql<boolean>`not namespaces.traversal_ids @> ${[group.id]}::bigint[]`)
    .where(hasLevel(actor, roles.owner))
}
