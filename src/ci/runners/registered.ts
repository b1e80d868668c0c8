/** A runner with its token, as JSON: shown once. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { FreshRunner } from './commands.ts'

export const RegisteredRunner = entity({
  name: 'RegisteredRunner',
  // Newer than 14.0: `token_expires_at`.
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    token: text('Token of the runner; shown in this answer only'),
    token_expires_at: Nullable(DateTime('When the token expires; null: never')),
  }),
  present: ({ id, token, token_expires_at }: FreshRunner) => ({ id, token: token.reveal(), token_expires_at }),
})
