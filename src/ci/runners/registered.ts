/** A runner with its token, as JSON: told once. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import type { FreshRunner } from './commands.ts'

export const RegisteredRunner = entity({
  name: 'RegisteredRunner',
  // Newer than 14.0: `token_expires_at`; it never does.
  schema: Type.Object({ id: Type.Integer(), token: Type.String(), token_expires_at: Nullable(DateTime()) }),
  present: ({ id, token }: FreshRunner) => ({ id, token: token.reveal(), token_expires_at: null }),
})
