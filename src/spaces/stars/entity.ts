/** A star as JSON (document 3 "Starrer"). */
import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, described } from '../../platform/kernel/declaration/types.ts'
import type { StarrerRow } from './queries.ts'

export const Starrer = entity({
  name: 'Starrer',
  schema: Type.Object({
    starred_since: DateTime('When the user starred it'),
    user: described('The user who starred it', Type.Object(summaryFields)),
  }),
  present: (row: StarrerRow, _loaded: undefined, facts) => ({ starred_since: row.starred_since, user: presentSummary(row, facts) }),
})
