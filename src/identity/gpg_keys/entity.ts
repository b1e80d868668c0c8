/** GPG keys as JSON (users API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime } from '../../platform/kernel/types.ts'
import type { GpgKeyRow } from './queries.ts'

export const GpgKey = entity({
  name: 'GpgKey',
  schema: Type.Object({ id: Type.Integer(), key: Type.String(), created_at: DateTime() }),
  present: ({ id, key, created_at }: GpgKeyRow) => ({ id, key, created_at }),
})
