/** What of a project the commands of planned things need to know. */

import type { ProjectRow } from '../projects/queries.ts'
import type { PlanningPlace } from './places.ts'

/** The project as a place whose labels and milestones serve its issues and merge requests, with those of the groups above. */
export const planningPlaceOf = (project: Pick<ProjectRow, 'id' | 'namespace_kind' | 'namespace_traversal_ids'>) =>
  ({
    key: { project_id: project.id },
    above: project.namespace_kind === 'group' ? project.namespace_traversal_ids : [],
  }) satisfies Pick<PlanningPlace, 'key' | 'above'>
