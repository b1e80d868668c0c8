/** A milestone as JSON (milestones API at 14.0). */
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { EmbeddedMilestone, presentMilestone } from '../shared/embedded.ts'
import type { MilestoneRow } from './queries.ts'

export const Milestone = entity({
  name: 'Milestone',
  schema: EmbeddedMilestone,
  present: (row: MilestoneRow, _loaded: undefined, facts: Facts) => presentMilestone(row, facts),
})
