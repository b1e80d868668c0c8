/** Where integrations are set up: in a project, in a group for all projects below it, or for the instance. */
import { sql } from 'kysely'
import type { GroupRow } from '../groups/queries.ts'
import type { ProjectRow } from '../projects/queries.ts'

/** A place with integrations; without ids the instance. */
export interface IntegrationPlace {
  readonly project_id?: number
  readonly namespace_id?: number
  /** The ids of the groups around it, outermost first. */
  readonly above: readonly number[]
}

/** A project as a place. */
export const placeOfProject = ({ id, namespace_traversal_ids }: Pick<ProjectRow, 'id' | 'namespace_traversal_ids'>): IntegrationPlace => ({
  project_id: id,
  above: namespace_traversal_ids,
})

/** A group as a place. */
export const placeOfGroup = ({ id, traversal_ids }: Pick<GroupRow, 'id' | 'traversal_ids'>): IntegrationPlace => ({
  namespace_id: id,
  above: traversal_ids.filter(other => other !== id),
})

/** The instance as a place. */
export const placeOfInstance: IntegrationPlace = { above: [] }

/** The ids of a place as they stand in its events. */
export const idsOfPlace = ({ project_id, namespace_id }: IntegrationPlace) => ({
  project_id: project_id ?? null,
  namespace_id: namespace_id ?? null,
})

/** Is a row of `integrations` one of the place itself? */
export const fitsPlace = ({ project_id, namespace_id }: IntegrationPlace) =>
  sql<boolean>`(coalesce(project_id, 0) = ${project_id ?? 0} and coalesce(namespace_id, 0) = ${namespace_id ?? 0})`
