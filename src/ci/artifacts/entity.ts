/** What runners are told about uploads, as JSON. */
import Type from 'typebox'
import { entity } from '../../kernel/answer/entity.ts'

export const UploadPermission = entity({
  name: 'ArtifactUploadPermission',
  schema: Type.Object({ MaximumSize: Type.Integer({ description: 'In bytes' }) }),
  present: ({ limit }: { readonly limit: number }) => ({ MaximumSize: limit }),
})
