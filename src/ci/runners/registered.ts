/** A runner with its token, as JSON: shown once. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import type { FreshRunner } from './commands.ts'

export const RegisteredRunner = entity({
  name: 'RegisteredRunner',
  // Newer than 14.0: `token_expires_at`.
  schema: Type.Object({ id: Type.Integer(), token: Type.String(), token_expires_at: Nullable(DateTime()) }),
  present: ({ id, token, token_expires_at }: FreshRunner) => ({ id, token: token.reveal(), token_expires_at }),
})
