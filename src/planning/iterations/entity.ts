/** An iteration as JSON (iterations API at 14.0). */
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { EmbeddedIteration, presentIteration } from '../shared/embedded.ts'
import type { IterationRow } from './queries.ts'

export const Iteration = entity({
  name: 'Iteration',
  schema: EmbeddedIteration,
  present: (row: IterationRow, _loaded: undefined, facts: Facts) => presentIteration(row, facts),
})
