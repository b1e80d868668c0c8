/** A freeze period as JSON (freeze periods API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, integer, text } from '../../platform/kernel/declaration/types.ts'
import type { FreezePeriodRow } from './queries.ts'

export const FreezePeriod = entity({
  name: 'FreezePeriod',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    freeze_start: text('When the freeze begins, in cron syntax'),
    freeze_end: text('When the freeze ends, in cron syntax'),
    cron_timezone: text('Time zone of the cron times'),
    created_at: DateTime('When it was created'),
    updated_at: DateTime('When it was last changed'),
  }),
  present: ({ project_id: _, ...shown }: FreezePeriodRow) => shown,
})
