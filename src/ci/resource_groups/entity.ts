/** Resource groups as the API shows them. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { integer, OneOf, text } from '../../platform/kernel/declaration/types.ts'
import type { ResourceGroupRow } from './queries.ts'

export const processModes = ['unordered', 'oldest_first', 'newest_first'] as const

export const ResourceGroup = entity({
  name: 'ResourceGroup',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    key: text('Name of the resource group'),
    process_mode: OneOf(processModes, { description: 'Order in which waiting jobs run' }),
    created_at: text('When it was created'),
    updated_at: text('When it was last changed'),
  }),
  load: async () => undefined,
  present: ({ id, key, process_mode, created_at, updated_at }: ResourceGroupRow) => ({ id, key, process_mode, created_at, updated_at }),
})
