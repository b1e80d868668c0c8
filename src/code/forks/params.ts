/** The parameters of forking (document 3 "POST /projects/:id/fork"). */
import Type, { type TProperties } from 'typebox'
import { OneOf } from '../../platform/kernel/types.ts'

export const forkParams = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Name of the fork; the source’s unless given' })),
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Path of the fork; the source’s unless given' })),
  namespace_id: Type.Optional(Type.Integer({ description: 'Where the fork will be; one’s own namespace unless given' })),
  namespace_path: Type.Optional(Type.String({ description: 'Full path of where the fork will be' })),
  namespace: Type.Optional(Type.String({ deprecated: true, description: 'ID or full path of where the fork will be' })),
  description: Type.Optional(Type.String({ maxLength: 2_000 })),
  visibility: Type.Optional(
    OneOf(['private', 'internal', 'public'], { description: 'The widest that source and namespace allow unless given' }),
  ),
} satisfies TProperties
