/** Where migrated groups and projects are now. */
import type { EntityRow } from '../../../integrations/bulk_imports/queries.ts'
import { groupVisibleTo, projectVisibleTo } from '../../../platform/access/visible.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { groupPath } from '../../../spaces/groups/pages/place.ts'
import { groups } from '../../../spaces/groups/queries.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { projects } from '../../../spaces/projects/queries.ts'

/** The place that a group or project has become: its full path and address. */
export interface MigratedPlace {
  readonly full_path: string
  readonly href: string
}

/**
 * The places by the ids of what was migrated; none for those that are not made yet, are gone, or may not be seen by the caller any more: their
 * paths may have changed since.
 */
export async function placesOf(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  rows: readonly EntityRow[],
): Promise<ReadonlyMap<number, MigratedPlace>> {
  const idsOf = (column: 'namespace_id' | 'project_id') => rows.flatMap(row => row[column] ?? [])
  const [madeGroups, madeProjects] = [
    await groups(db)
      .where('namespaces.id', '=', anyOf(idsOf('namespace_id')))
      .where(groupVisibleTo(actor))
      .execute(),
    await projects(db)
      .where('projects.id', '=', anyOf(idsOf('project_id')))
      .where(projectVisibleTo(actor))
      .execute(),
  ]
  const groupsById = new Map(madeGroups.map(group => [group.id, group]))
  const projectsById = new Map(madeProjects.map(project => [project.id, project]))
  return new Map(
    rows.flatMap(({ id, namespace_id, project_id }) => {
      const group = namespace_id === null ? undefined : groupsById.get(namespace_id)
      const project = project_id === null ? undefined : projectsById.get(project_id)
      if (project) return [[id, { full_path: project.full_path, href: projectPath(project) }] as const]
      return group ? [[id, { full_path: group.full_path, href: groupPath(group) }] as const] : []
    }),
  )
}
