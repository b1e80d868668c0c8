/** Iterations of groups, which apply to their subgroups and projects, too (iterations API at 14.0). */
import Type from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { DateTime, Day, flag, Nullable, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { inPlanningGroup, inPlanningProject, type PlaceScope } from '../../spaces/places/places.ts'
import * as commands from './commands.ts'
import { Iteration } from './entity.ts'
import { iterationStateWords, iterationsMatching } from './queries.ts'
import { inIteration } from './scope.ts'

const listIterations = (noun: 'group' | 'project', scope: PlaceScope, can: Ability) =>
  endpoint({
    route: `GET /${noun}s/:id/iterations`,
    summary: `List the iterations of a ${noun}`,
    tier: 'premium',
    scope,
    can,
    params: {
      state: Type.Optional(OneOf(iterationStateWords, { description: '`opened`: not closed; `started`, `current`: in progress today' })),
      search: optional(text('Words in the title', { maxLength: 255 })),
      include_ancestors: optional(flag('Include iterations of ancestor groups; default true')),
      updated_after: optional(DateTime('Only iterations changed after this instant')),
      updated_before: optional(DateTime('Only iterations changed before this instant')),
    },
    answers: pageOf(Iteration),
    run: ({ db, now, place, params }) => iterationsMatching(db, place, params, now.toISOString().slice(0, 10)),
  })

export const listGroupIterations = listIterations('group', inPlanningGroup, 'read_iteration')
export const listProjectIterations = listIterations('project', inPlanningProject, 'read_project_iteration')

const Title = () => text('Title', { maxLength: 255, pattern: '\\S', examples: ['Spring'] })
const description = optional(Nullable(text('Description', { maxLength: 1_048_576 })))

export const createIteration = endpoint({
  route: 'POST /groups/:id/iterations',
  summary: 'Create an iteration of a group (additive: the public API only lists them)',
  tier: 'premium',
  scope: inGroup,
  can: 'admin_iteration',
  params: {
    title: Title(),
    description,
    start_date: Day('First day', { examples: ['2001-01-01'] }),
    due_date: Day('Last day', { examples: ['2001-01-14'] }),
  },
  answers: one(Iteration),
  run: ctx => commands.createIteration(ctx, ctx.group, ctx.params),
})

export const updateIteration = endpoint({
  route: 'PUT /groups/:id/iterations/:iteration_id',
  summary: 'Change an iteration of a group (additive)',
  tier: 'premium',
  scope: inIteration,
  can: 'admin_iteration',
  params: { title: optional(Title()), description, start_date: optional(Day('First day')), due_date: optional(Day('Last day')) },
  answers: one(Iteration),
  run: ctx => commands.updateIteration(ctx, ctx.group, ctx.iteration, ctx.params),
})

export const deleteIteration = endpoint({
  route: 'DELETE /groups/:id/iterations/:iteration_id',
  summary: 'Delete an iteration of a group (additive)',
  tier: 'premium',
  scope: inIteration,
  can: 'admin_iteration',
  answers: nothing,
  run: ctx => commands.removeIteration(ctx, ctx.iteration),
})
