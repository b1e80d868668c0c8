/** A star as JSON (document 3 "Starrer"). */
import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime } from '../../platform/kernel/types.ts'
import type { StarrerRow } from './queries.ts'

export const Starrer = entity({
  name: 'Starrer',
  schema: Type.Object({ starred_since: DateTime(), user: Type.Object(summaryFields) }),
  present: (row: StarrerRow, _loaded: undefined, facts) => ({ starred_since: row.starred_since, user: presentSummary(row, facts) }),
})
