/** Milestones of projects and groups by the addresses of their pages: the same pages for both. */
import { groupMilestones, projectMilestones } from '../../planning/milestones/endpoints.ts'
import { type MilestoneRow, milestoneByIid } from '../../planning/milestones/queries.ts'
import type { Ability } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import type { InPlanningPlace, PlanningPlace } from '../../spaces/places/places.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { eitherPlace, type InEither, inPlanningGroupPage, inPlanningProjectPage } from '../places/planning.ts'

/** What the scopes give: the place, and the project or the group that it is. */
export type InMilestones = InPlanningPlace & InEither

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

const inProject = inPlanningProjectPage as unknown as Scope<InMilestones>
const inGroup = inPlanningGroupPage as unknown as Scope<InMilestones>

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
export const framePlace = (ctx: Context & InMilestones): Place => eitherPlace(ctx.actor, ctx, 'milestones')
