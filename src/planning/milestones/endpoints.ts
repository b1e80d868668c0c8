/** Milestones of projects and groups (milestones and group milestones API at 14.0): the same declarations for both. */
import Type from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { CommaList, DateTime, Day, described, flag, Nullable, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inPlanningGroup, inPlanningProject, type PlaceScope } from '../../spaces/places/places.ts'
import { Issue } from '../issues/entity.ts'
import { BurndownEvents, burndownOf } from './burndown.ts'
import { createMilestone, removeMilestone, updateMilestone } from './commands.ts'
import { Milestone } from './entity.ts'
import * as promotion from './promote.ts'
import { issuesOfMilestone, milestonesMatching } from './queries.ts'
import { inMilestone } from './scope.ts'

interface Kind {
  readonly noun: 'group' | 'project'
  readonly scope: PlaceScope
  readonly read: Ability
  readonly manage: Ability
}

const Title = (options: object = {}) => text('Title', { maxLength: 255, pattern: '\\S', ...options })
const attributes = {
  description: optional(Nullable(text('Description', { maxLength: 1_048_576 }))),
  due_date: optional(Nullable(Day('Last day'))),
  start_date: optional(Nullable(Day('First day'))),
}

function milestoneEndpoints({ noun, scope, read, manage }: Kind) {
  const path = `/${noun}s/:id/milestones` as const
  const inOne = inMilestone(scope)

  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the milestones of a ${noun}`,
    scope,
    can: read,
    params: {
      iids: Type.Optional(CommaList(Type.Integer(), { description: 'Only these numbers' })),
      state: optional(OneOf(['active', 'closed', 'all'], { description: 'Only milestones in this state' })),
      title: optional(text('Exact title')),
      search: optional(text('Words in title and description', { maxLength: 255 })),
      include_parent_milestones: optional(flag('Include milestones of ancestor groups')),
      updated_after: optional(DateTime('Only milestones changed after this instant')),
      updated_before: optional(DateTime('Only milestones changed before this instant')),
    },
    answers: pageOf(Milestone),
    run: ({ db, place, params }) => milestonesMatching(db, place, params),
  })
  const get = endpoint({
    route: `GET ${path}/:milestone_id`,
    summary: `Get a milestone of a ${noun}`,
    scope: inOne,
    can: read,
    answers: one(Milestone),
    run: ({ milestone }) => milestone,
  })
  const create = endpoint({
    route: `POST ${path}`,
    summary: `Create a milestone of a ${noun}`,
    scope,
    can: manage,
    params: { title: Title({ examples: ['v2.0'] }), ...attributes },
    answers: one(Milestone),
    run: ctx => createMilestone(ctx, ctx.place, ctx.params),
  })
  const update = endpoint({
    route: `PUT ${path}/:milestone_id`,
    summary: `Change, close or activate a milestone of a ${noun}`,
    scope: inOne,
    can: manage,
    params: {
      title: optional(described('Title', Title())),
      ...attributes,
      state_event: optional(OneOf(['close', 'activate'], { description: '`close` or `activate`' })),
    },
    answers: one(Milestone),
    run: ctx => updateMilestone(ctx, ctx.place, ctx.milestone, ctx.params),
  })
  const remove = endpoint({
    route: `DELETE ${path}/:milestone_id`,
    summary: `Delete a milestone of a ${noun}`,
    scope: inOne,
    can: manage,
    answers: nothing,
    run: ctx => removeMilestone(ctx, ctx.place, ctx.milestone),
  })
  const issues = endpoint({
    route: `GET ${path}/:milestone_id/issues`,
    summary: `List the issues of a milestone of a ${noun}`,
    scope: inOne,
    can: read,
    answers: pageOf(Issue),
    run: ctx => issuesOfMilestone(ctx, ctx.place, ctx.milestone.id),
  })
  const burndown = endpoint({
    route: `GET ${path}/:milestone_id/burndown_events`,
    summary: `List the burndown chart events of a milestone of a ${noun}`,
    tier: 'premium',
    scope: inOne,
    can: read,
    answers: one(BurndownEvents),
    run: ctx => burndownOf(ctx, ctx.milestone),
  })
  return [list, get, create, update, remove, issues, burndown] as const
}

export const projectMilestones = milestoneEndpoints({
  noun: 'project',
  scope: inPlanningProject,
  read: 'read_milestone',
  manage: 'admin_milestone',
})

export const groupMilestones = milestoneEndpoints({
  noun: 'group',
  scope: inPlanningGroup,
  read: 'read_group_milestone',
  manage: 'admin_group_milestone',
})

export const promoteMilestone = endpoint({
  route: 'POST /projects/:id/milestones/:milestone_id/promote',
  summary: 'Promote a milestone of a project to its group',
  scope: inMilestone(inPlanningProject),
  can: 'admin_milestone',
  answers: one(Milestone),
  run: ctx => promotion.promoteMilestone(ctx, ctx.project, ctx.milestone),
})
