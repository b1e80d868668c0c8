/** The groups of a project: those that hold it, and those it is shared with. */
import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import type { Actor } from '../../platform/access/actor.ts'
import { groupVisibleTo } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { containing } from '../../platform/db/statements/like.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { Group } from '../groups/entity.ts'
import { type GroupRow, groups } from '../groups/queries.ts'
import type { ProjectRow } from '../projects/queries.ts'
import { isCurrentShare } from '../shares/queries.ts'

/** Filters of the list of a project's groups (projects API at 14.0). */
export interface GroupsOfProjectFilters {
  search?: string | undefined
  skip_groups?: number[] | undefined
  with_shared?: boolean | undefined
  shared_min_access_level?: number | undefined
}

/**
 * The groups above a project, outermost first, and on request those that it is shared with. Groups that the actor may not see are left out,
 * whether `shared_visible_only` is sent or not: a private group does not exist for others.
 */
export function groupsOfProject(db: Db, actor: Actor, project: ProjectRow, filters: GroupsOfProjectFilters) {
  const { search, skip_groups, with_shared, shared_min_access_level = 0 } = filters
  const above = sql<boolean>`namespaces.id = any(${project.namespace_traversal_ids}::bigint[])`
  const shared = sql<boolean>`namespaces.id = any(array(
    select shares.group_id from shares
     where shares.project_id = ${project.id} and ${isCurrentShare} and shares.access_level >= ${shared_min_access_level}))`
  let query = groups(db)
    .where(with_shared ? sql<boolean>`(${above} or ${shared})` : above)
    .where(groupVisibleTo(actor) as RawBuilder<boolean>)
  if (skip_groups?.length) query = query.where('namespaces.id', 'not in', skip_groups)
  if (search) {
    const like = containing(search)
    query = query.where(({ or, eb }) => or([eb('namespaces.name', 'ilike', like), eb('namespaces.path', 'ilike', like)]))
  }
  return query
    .orderBy(sql`coalesce(array_position(${project.namespace_traversal_ids}::bigint[], namespaces.id), 1000)`)
    .orderBy('namespaces.id')
}

/** What everyone who sees a project may know of its groups. */
export const GroupOfProject = entity({
  name: 'GroupOfProject',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    name: text('Name of the group'),
    avatar_url: Nullable(text('Address of the avatar; null where there is none')),
    web_url: text('Address of the page for people'),
    full_name: text('Names of all parents and its own, with ` / ` between'),
    full_path: text('Path with those of all parents'),
  }),
  present: (row: GroupRow, _loaded: undefined, facts) => {
    const { id, name, avatar_url, web_url, full_name, full_path } = Group.present(row, undefined, facts)
    return { id, name, avatar_url, web_url, full_name, full_path }
  },
})
