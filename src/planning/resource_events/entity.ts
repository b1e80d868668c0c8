/** Resource events as JSON (resource state, label, milestone, iteration and weight events APIs at 14.0). */

import Type from 'typebox'
import { idIn, keyOf, typeNameOf } from '../../collaboration/item_kinds/kinds.ts'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { labelDetailFields, presentLabelDetails } from '../labels/entity.ts'
import { labelsById } from '../labels/queries.ts'
import {
  EmbeddedIteration,
  EmbeddedMilestone,
  embeddedIterations,
  embeddedMilestones,
  presentIteration,
  presentMilestone,
} from '../shared/embedded.ts'
import type { FactRow } from './queries.ts'

type Users = Map<number, SummaryRow>

const commonFields = {
  id: integer('ID, unique on the instance'),
  // Null for a deleted user.
  user: Nullable(described('The user who did it; null where the account is deleted', Type.Object(summaryFields))),
  created_at: DateTime('When it was created'),
}
const resourceFields = { ...commonFields, resource_type: text('Kind of what was changed'), resource_id: integer('ID of what was changed') }
const Action = Type.String()

const usersOf = ({ db }: Context, rows: readonly FactRow[]): Promise<Users> => usersById(db, idsOf(rows, 'user_id'))

function common(row: FactRow, users: Users, facts: Facts) {
  const user = row.user_id === null ? undefined : users.get(row.user_id)
  return { id: row.id, user: user ? presentSummary(user, facts) : null, created_at: row.created_at }
}

const resource = (row: FactRow, users: Users, facts: Facts) => ({
  ...common(row, users, facts),
  resource_type: typeNameOf(keyOf(row)!),
  resource_id: idIn(keyOf(row)!),
})

export const StateEvent = entity({
  name: 'ResourceStateEvent',
  schema: Type.Object({ ...resourceFields, state: text('State that it was changed to') }),
  load: usersOf,
  present: (row: FactRow, users: Users, facts) => ({ ...resource(row, users, facts), state: row.state as string }),
})

export const LabelEvent = entity({
  name: 'ResourceLabelEvent',
  // Contract: null for a deleted label (resource label events API).
  schema: Type.Object({
    ...resourceFields,
    label: Nullable(described('The label; null where it is deleted', Type.Object(labelDetailFields))),
    action: described('`add` or `remove`', Action),
  }),
  load: async (ctx, rows: readonly FactRow[]) => ({
    users: await usersOf(ctx, rows),
    labels: await labelsById(ctx.db, idsOf(rows, 'label_id')),
  }),
  present: (row: FactRow, { users, labels }, facts) => {
    const label = row.label_id === null ? undefined : labels.get(row.label_id)
    return { ...resource(row, users, facts), label: label ? presentLabelDetails(label) : null, action: row.action as string }
  },
})

export const MilestoneEvent = entity({
  name: 'ResourceMilestoneEvent',
  schema: Type.Object({
    ...resourceFields,
    milestone: Nullable(described('The milestone; null where it is deleted', EmbeddedMilestone)),
    action: described('`add` or `remove`', Action),
    state: text('State that it was changed to'),
  }),
  load: async (ctx, rows: readonly FactRow[]) => ({
    users: await usersOf(ctx, rows),
    milestones: await embeddedMilestones(ctx.db, idsOf(rows, 'milestone_id')),
  }),
  present: (row: FactRow, { users, milestones }, facts) => {
    const milestone = row.milestone_id === null ? undefined : milestones.get(row.milestone_id)
    return {
      ...resource(row, users, facts),
      milestone: milestone ? presentMilestone(milestone, facts) : null,
      action: row.action as string,
      state: row.state as string,
    }
  },
})

export const IterationEvent = entity({
  name: 'ResourceIterationEvent',
  schema: Type.Object({
    ...resourceFields,
    iteration: Nullable(described('The iteration; null where it is deleted', EmbeddedIteration)),
    action: described('`add` or `remove`', Action),
  }),
  load: async (ctx, rows: readonly FactRow[]) => ({
    users: await usersOf(ctx, rows),
    iterations: await embeddedIterations(ctx.db, idsOf(rows, 'iteration_id')),
  }),
  present: (row: FactRow, { users, iterations }, facts) => {
    const iteration = row.iteration_id === null ? undefined : iterations.get(row.iteration_id)
    return {
      ...resource(row, users, facts),
      iteration: iteration ? presentIteration(iteration, facts) : null,
      action: row.action as string,
    }
  },
})

export const WeightEvent = entity({
  name: 'ResourceWeightEvent',
  // Contract: weight events name the issue by `issue_id` (resource weight events API).
  schema: Type.Object({
    ...commonFields,
    issue_id: integer('ID of the issue'),
    weight: Nullable(integer('Weight; null where none is set')),
  }),
  load: usersOf,
  present: (row: FactRow, users: Users, facts) => ({ ...common(row, users, facts), issue_id: row.issue_id as number, weight: row.weight }),
})
