/** Milestones of projects and groups by the addresses of their pages: the same pages for both. */
import { groupMilestones, projectMilestones } from '../../planning/milestones/endpoints.ts'
import { type MilestoneRow, milestoneByIid } from '../../planning/milestones/queries.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { type InPlanningPlace, type PlanningPlace, placeOfGroup, placeOfProject } from '../../spaces/places/places.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'

type Group = GroupRow & { readonly role: number }

/** What the scopes give: the place, and the project or the group that it is. */
export interface InMilestones extends InPlanningPlace {
  readonly project?: ProjectWithRole
  readonly group?: Group
}

export interface InMilestonePage extends InMilestones {
  readonly milestone: MilestoneRow
}

/** Milestones of projects, or of groups. */
export interface MilestoneKind {
  readonly noun: 'project' | 'group'
  /** What its routes begin with. */
  readonly base: `/${string}`
  readonly inPlace: Scope<InMilestones>
  readonly inOne: Scope<InMilestonePage>
  readonly read: Ability
  readonly manage: Ability
  /** The declarations of the API. */
  readonly api: readonly Endpoint[]
}

const inProjectMilestones = within(inProjectPage, {
  name: 'inProjectPage',
  path: {},
  load: async ({ project }) => ({ place: placeOfProject(project) }),
})

const inGroupMilestones = within(inGroupPage, {
  name: 'inGroupPage',
  path: {},
  load: async ({ group }) => ({ place: placeOfGroup(group) }),
})

/** `:milestone_iid` becomes a milestone of the place itself, or 404. */
const inOne = (name: string, inPlace: Scope<InMilestones>): Scope<InMilestonePage> =>
  within(inPlace, {
    name,
    path: { milestone_iid: integer('Number of a milestone within its project or group') },
    async load({ db, place }, { milestone_iid }) {
      const milestone = await milestoneByIid(db, place, milestone_iid)
      if (!milestone) throw notFound('Milestone')
      return { milestone }
    },
  })

const inProject = inProjectMilestones as unknown as Scope<InMilestones>
const inGroup = inGroupMilestones as unknown as Scope<InMilestones>

export const ofProject: MilestoneKind = {
  noun: 'project',
  base: '/:project_path/-/milestones',
  inPlace: inProject,
  inOne: inOne('inMilestonePage', inProject),
  read: 'read_milestone',
  manage: 'admin_milestone',
  api: projectMilestones as unknown as readonly Endpoint[],
}

export const ofGroup: MilestoneKind = {
  noun: 'group',
  base: '/groups/:group_path/-/milestones',
  inPlace: inGroup,
  inOne: inOne('inGroupMilestonePage', inGroup),
  read: 'read_group_milestone',
  manage: 'admin_group_milestone',
  api: groupMilestones as unknown as readonly Endpoint[],
}

/** The path of a page of a place's milestones. Pure. */
export const milestonesPath = (place: Pick<PlanningPlace, 'noun' | 'full_path'>, rest = ''): string =>
  (place.noun === 'project' ? projectPath : groupPath)(place, `/-/milestones${rest}`)

/** The place as the frame shows it. */
export const framePlace = ({ actor, project, group }: Context & InMilestones): Place =>
  project ? projectPlace(actor, project, 'milestones') : groupPlace(actor, group as Group, 'milestones')

/** May the caller do this in the place? */
export const mayIn = ({ actor, project, group }: Context & InMilestones, ability: Ability): boolean =>
  allows(actor, ability, project ? projectSubject(project) : groupSubject(group as Group)) === 'yes'
