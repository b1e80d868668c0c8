/** Resource groups as the API shows them. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { OneOf } from '../../platform/kernel/types.ts'
import type { ResourceGroupRow } from './queries.ts'

export const processModes = ['unordered', 'oldest_first', 'newest_first'] as const

export const ResourceGroup = entity({
  name: 'ResourceGroup',
  schema: Type.Object({
    id: Type.Integer(),
    key: Type.String(),
    process_mode: OneOf(processModes),
    created_at: Type.String(),
    updated_at: Type.String(),
  }),
  load: async () => undefined,
  present: ({ id, key, process_mode, created_at, updated_at }: ResourceGroupRow) => ({ id, key, process_mode, created_at, updated_at }),
})
