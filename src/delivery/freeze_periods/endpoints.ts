/** Freeze periods of a project (freeze periods API at 14.0). */
import Type from 'typebox'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import * as commands from './commands.ts'
import { FreezePeriod } from './entity.ts'
import { freezePeriodsOf } from './queries.ts'
import { inFreezePeriod } from './scope.ts'

const Line = (when: string, example: string) =>
  text(`When it ${when}, as a cron line`, { minLength: 1, maxLength: 998, examples: [example] })
const freeze_start = Line('begins', '0 23 * * 5')
const freeze_end = Line('ends', '0 8 * * 1')
const cron_timezone = optional(text('Time zone of both; UTC unless given', { minLength: 1, maxLength: 255 }))

export const listFreezePeriods = endpoint({
  route: 'GET /projects/:id/freeze_periods',
  summary: 'List the freeze periods of a project',
  scope: inProject,
  can: 'read_freeze_period',
  answers: pageOf(FreezePeriod),
  run: ({ db, project }) => freezePeriodsOf(db, project.id),
})

export const getFreezePeriod = endpoint({
  route: 'GET /projects/:id/freeze_periods/:freeze_period_id',
  summary: 'Get a freeze period',
  scope: inFreezePeriod,
  can: 'read_freeze_period',
  answers: one(FreezePeriod),
  run: ({ freezePeriod }) => freezePeriod,
})

export const createFreezePeriod = endpoint({
  route: 'POST /projects/:id/freeze_periods',
  summary: 'Create a freeze period',
  scope: inProject,
  can: 'admin_freeze_period',
  params: { freeze_start, freeze_end, cron_timezone },
  answers: one(FreezePeriod),
  run: ctx => commands.createFreezePeriod(ctx, ctx.project.id, ctx.params),
})

export const updateFreezePeriod = endpoint({
  route: 'PUT /projects/:id/freeze_periods/:freeze_period_id',
  summary: 'Change a freeze period',
  scope: inFreezePeriod,
  can: 'admin_freeze_period',
  params: { freeze_start: Type.Optional(freeze_start), freeze_end: Type.Optional(freeze_end), cron_timezone },
  answers: one(FreezePeriod),
  run: ctx => commands.updateFreezePeriod(ctx, ctx.freezePeriod, ctx.params),
})

export const removeFreezePeriod = endpoint({
  route: 'DELETE /projects/:id/freeze_periods/:freeze_period_id',
  summary: 'Delete a freeze period',
  scope: inFreezePeriod,
  can: 'admin_freeze_period',
  answers: nothing,
  run: ctx => commands.removeFreezePeriod(ctx, ctx.freezePeriod),
})
