/** A metric image as JSON (document 3 "Metric image"). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { MetricImageRow } from './queries.ts'

export const MetricImage = entity({
  name: 'MetricImage',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    created_at: DateTime('When it was created'),
    filename: text('Name of the file'),
    file_path: text('Path of the image, relative to the URL of the instance'),
    url: Nullable(text('Address that the image links to; null where there is none')),
    // Contract: added after 14.0 (public behaviour).
    url_text: Nullable(text('Text of the link; null where there is none')),
  }),
  present: (row: MetricImageRow) => ({
    id: row.id,
    created_at: row.created_at,
    filename: row.filename,
    file_path: `/uploads/-/system/issuable_metric_image/file/${row.id}/${encodeURIComponent(row.filename)}`,
    url: row.url,
    url_text: row.url_text,
  }),
})
