/** A freeze period as JSON (freeze periods API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime } from '../../platform/kernel/types.ts'
import type { FreezePeriodRow } from './queries.ts'

export const FreezePeriod = entity({
  name: 'FreezePeriod',
  schema: Type.Object({
    id: Type.Integer(),
    freeze_start: Type.String(),
    freeze_end: Type.String(),
    cron_timezone: Type.String(),
    created_at: DateTime(),
    updated_at: DateTime(),
  }),
  present: ({ project_id: _, ...shown }: FreezePeriodRow) => shown,
})
