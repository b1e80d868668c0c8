/** Groups and projects as planning places: their labels, milestones, iterations and boards are used here and below. */

import type { Place } from '../../platform/access/places.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import type { GroupRow } from '../groups/queries.ts'
import { inGroup } from '../groups/scope.ts'
import type { ProjectRow } from '../projects/queries.ts'
import { inProject } from '../projects/scope.ts'

/** A group or project, and the ancestor groups whose labels and milestones are used in it. */
export interface PlanningPlace {
  readonly noun: 'group' | 'project'
  readonly id: number
  /** The columns by which rows refer to the place. */
  readonly key: Place
  /** The ancestor groups, outermost first. */
  readonly above: readonly number[]
  readonly full_path: string
}

/** The group as a place whose labels and milestones its epics use, with those of the ancestor groups. */
export const groupPlaceOf = (group: Pick<GroupRow, 'id' | 'traversal_ids'>) =>
  ({ key: { namespace_id: group.id }, above: group.traversal_ids.slice(0, -1) }) satisfies Pick<PlanningPlace, 'key' | 'above'>

/** The project as a place whose labels and milestones its issues and merge requests use, with those of the ancestor groups. */
export const planningPlaceOf = (project: Pick<ProjectRow, 'id' | 'namespace_kind' | 'namespace_traversal_ids'>) =>
  ({
    key: { project_id: project.id },
    above: project.namespace_kind === 'group' ? project.namespace_traversal_ids : [],
  }) satisfies Pick<PlanningPlace, 'key' | 'above'>

/** A group as the place of its own labels and milestones. */
export const placeOfGroup = (group: Pick<GroupRow, 'id' | 'traversal_ids' | 'full_path'>): PlanningPlace => ({
  noun: 'group',
  id: group.id,
  ...groupPlaceOf(group),
  full_path: group.full_path,
})

/** A project as the place of its own labels and milestones. */
export const placeOfProject = (
  project: Pick<ProjectRow, 'id' | 'namespace_kind' | 'namespace_traversal_ids' | 'full_path'>,
): PlanningPlace => ({
  noun: 'project',
  id: project.id,
  ...planningPlaceOf(project),
  full_path: project.full_path,
})

/** The result of every scope below. */
export interface InPlanningPlace {
  readonly place: PlanningPlace
}

/** A planning scope: those of a group and of a project differ in nothing else. */
export type PlaceScope = Scope<InPlanningPlace>

export const inPlanningGroup = within(inGroup, {
  name: 'inGroup',
  path: {},
  load: async ({ group }): Promise<InPlanningPlace> => ({ place: placeOfGroup(group) }),
})

export const inPlanningProject = within(inProject, {
  name: 'inProject',
  path: {},
  load: async ({ project }): Promise<InPlanningPlace> => ({ place: placeOfProject(project) }),
})
