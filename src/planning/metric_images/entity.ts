/** A metric image as JSON (document 3 "Metric image"). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import type { MetricImageRow } from './queries.ts'

export const MetricImage = entity({
  name: 'MetricImage',
  schema: Type.Object({
    id: Type.Integer(),
    created_at: DateTime(),
    filename: Type.String(),
    file_path: Type.String({ description: 'Path of the image, relative to the URL of the instance' }),
    url: Nullable(Type.String()),
    // Contract: added after 14.0 (public behaviour).
    url_text: Nullable(Type.String()),
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
