/** The answers to runners about uploads, as JSON. */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { integer, optional } from '../../../platform/kernel/declaration/types.ts'

export const UploadPermission = entity({
  name: 'ArtifactUploadPermission',
  schema: Type.Object({ MaximumSize: optional(integer('In bytes; absent where there is no limit')) }),
  present: ({ limit }: { readonly limit: number }) => ({ ...(Number.isFinite(limit) && { MaximumSize: limit }) }),
})
