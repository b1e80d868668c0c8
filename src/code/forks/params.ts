/** The parameters of forking (document 3 "POST /projects/:id/fork"). */
import Type, { type TProperties } from 'typebox'
import { OneOf } from '../../platform/kernel/types.ts'

export const forkParams = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Name of the fork; default the source’s' })),
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Path of the fork; default the source’s' })),
  namespace_id: Type.Optional(Type.Integer({ description: 'Namespace of the fork; default one’s own' })),
  namespace_path: Type.Optional(Type.String({ description: 'Full path of the fork’s namespace' })),
  namespace: Type.Optional(Type.String({ deprecated: true, description: 'ID or full path of the fork’s namespace' })),
  description: Type.Optional(Type.String({ maxLength: 2_000 })),
  visibility: Type.Optional(
    OneOf(['private', 'internal', 'public'], { description: 'Default: the widest that source and namespace allow' }),
  ),
} satisfies TProperties
