/** A file of a merge request that the caller has viewed, as JSON. */
import type { Selectable } from 'kysely'
import Type from 'typebox'
import type { DB } from '../../../../platform/db/schema.ts'
import { entity } from '../../../../platform/kernel/answer/entity.ts'
import { DateTime, text } from '../../../../platform/kernel/declaration/types.ts'

export type ViewedFileRow = Selectable<DB['viewed_files']>

export const ViewedFile = entity({
  name: 'ViewedFile',
  schema: Type.Object({
    path: text('Path of the file after the change'),
    blob_id: text('ID of the contents that were viewed; zeros for a deleted file'),
    viewed_at: DateTime('When it was marked'),
  }),
  present: ({ path, blob_id, viewed_at }: ViewedFileRow) => ({ path, blob_id, viewed_at }),
})
