/** A registration token of runners as JSON. */
import Type from 'typebox'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Nullable, text } from '../../platform/kernel/declaration/types.ts'

export const RunnersToken = plain(
  'RunnersToken',
  // Newer than 14.0: `token_expires_at`.
  Type.Object({
    token: text('The registration token; shown in this answer only'),
    token_expires_at: Nullable(DateTime('When the token expires; null: never')),
  }),
)
