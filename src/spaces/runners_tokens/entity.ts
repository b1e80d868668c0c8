/** A token that runners register with, as JSON. */
import Type from 'typebox'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'

export const RunnersToken = plain(
  'RunnersToken',
  // Newer than 14.0: `token_expires_at`; it never does.
  Type.Object({ token: Type.String(), token_expires_at: Nullable(DateTime()) }),
)
