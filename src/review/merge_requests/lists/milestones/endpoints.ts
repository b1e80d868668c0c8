/** The merge requests of milestones (milestones and group milestones API at 14.0). */
import { inMilestone } from '../../../../planning/milestones/scope.ts'
import type { Ability } from '../../../../platform/access/abilities.ts'
import { endpoint, pageOf } from '../../../../platform/kernel/declaration/endpoint.ts'
import { inPlanningGroup, inPlanningProject, type PlaceScope } from '../../../../spaces/places/places.ts'
import { MergeRequest } from '../../entity.ts'
import { mergeRequestsOfMilestone } from './queries.ts'

const listIn = (noun: 'group' | 'project', scope: PlaceScope, can: Ability) =>
  endpoint({
    route: `GET /${noun}s/:id/milestones/:milestone_id/merge_requests`,
    summary: `List the merge requests of a milestone of a ${noun}`,
    scope: inMilestone(scope),
    can,
    answers: pageOf(MergeRequest),
    run: ctx => mergeRequestsOfMilestone(ctx, ctx.place, ctx.milestone.id),
  })

export const listOfProjectMilestone = listIn('project', inPlanningProject, 'read_milestone')
export const listOfGroupMilestone = listIn('group', inPlanningGroup, 'read_group_milestone')
