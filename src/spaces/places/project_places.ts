/** The facts of a project that planning commands need. */

import type { ProjectRow } from '../projects/queries.ts'
import type { PlanningPlace } from './places.ts'

/** The project as a place whose labels and milestones its issues and merge requests use, with those of the ancestor groups. */
export const planningPlaceOf = (project: Pick<ProjectRow, 'id' | 'namespace_kind' | 'namespace_traversal_ids'>) =>
  ({
    key: { project_id: project.id },
    above: project.namespace_kind === 'group' ? project.namespace_traversal_ids : [],
  }) satisfies Pick<PlanningPlace, 'key' | 'above'>
