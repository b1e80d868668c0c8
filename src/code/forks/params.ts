/** The parameters of forking (document 3 "POST /projects/:id/fork"). */
import Type, { type TProperties } from 'typebox'
import { integer, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'

export const forkParams = {
  name: optional(text('Name of the fork; default the source’s', { minLength: 1, maxLength: 255 })),
  path: optional(text('Path of the fork; default the source’s', { minLength: 1, maxLength: 255 })),
  namespace_id: optional(integer('Namespace of the fork; default one’s own')),
  namespace_path: optional(text('Full path of the fork’s namespace')),
  namespace: optional(text('ID or full path of the fork’s namespace', { deprecated: true })),
  description: optional(text('Description', { maxLength: 2_000 })),
  visibility: Type.Optional(
    OneOf(['private', 'internal', 'public'], { description: 'Default: the widest that source and namespace allow' }),
  ),
} satisfies TProperties
