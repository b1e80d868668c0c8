/** An access request as JSON: a user summary and the time of the request (access requests API). */
import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime } from '../../platform/kernel/declaration/types.ts'
import type { AccessRequestRow } from './queries.ts'

export const AccessRequest = entity({
  name: 'AccessRequest',
  // Contract: both are the time of the request (access requests API).
  schema: Type.Object({
    ...summaryFields,
    created_at: DateTime('When it was created'),
    requested_at: DateTime('When access was requested'),
  }),
  present: (row: AccessRequestRow, _loaded: undefined, facts) => ({
    ...presentSummary(row, facts),
    created_at: row.requested_at,
    requested_at: row.requested_at,
  }),
})
