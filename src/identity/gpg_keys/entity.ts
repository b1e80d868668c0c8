/** GPG keys as JSON (users API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, integer, text } from '../../platform/kernel/declaration/types.ts'
import type { GpgKeyRow } from './queries.ts'

export const GpgKey = entity({
  name: 'GpgKey',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    key: text('Public key, ASCII-armored'),
    created_at: DateTime('When it was created'),
  }),
  present: ({ id, key, created_at }: GpgKeyRow) => ({ id, key, created_at }),
})
