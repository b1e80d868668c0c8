/** Where migrated groups and projects are now. */
import type { EntityRow } from '../../../integrations/bulk_imports/queries.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { groupPath } from '../../../spaces/groups/pages/place.ts'
import { groupsById } from '../../../spaces/groups/queries.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { projectsById } from '../../../spaces/projects/queries.ts'

/** The place that a group or project has become: its full path and address. */
export interface MigratedPlace {
  readonly full_path: string
  readonly href: string
}

/** The places by the ids of what was migrated; those that are not made yet, or gone, have none. */
export async function placesOf(db: Db, rows: readonly EntityRow[]): Promise<ReadonlyMap<number, MigratedPlace>> {
  const idsOf = (column: 'namespace_id' | 'project_id') => rows.flatMap(row => row[column] ?? [])
  const [groups, projects] = [await groupsById(db, idsOf('namespace_id')), await projectsById(db, idsOf('project_id'))]
  return new Map(
    rows.flatMap(({ id, namespace_id, project_id }) => {
      const group = namespace_id === null ? undefined : groups.get(namespace_id)
      const project = project_id === null ? undefined : projects.get(project_id)
      if (project) return [[id, { full_path: project.full_path, href: projectPath(project) }] as const]
      return group ? [[id, { full_path: group.full_path, href: groupPath(group) }] as const] : []
    }),
  )
}
