/** Pipeline schedules (pipeline schedules API at 14.0). */

import Type from 'typebox'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { PipelineBasic } from '../pipelines/lists/basic.ts'
import { given } from '../run_variables/given.ts'
import { GivenVariable } from '../run_variables/params.ts'
import * as commands from './commands.ts'
import { PipelineSchedule, PipelineScheduleDetails, ScheduleVariable } from './entity.ts'
import { pipelinesOfSchedule, schedulesOf } from './queries.ts'
import { inSchedule, inScheduleVariable } from './scope.ts'

const path = '/projects/:id/pipeline_schedules' as const
const onePath = `${path}/:pipeline_schedule_id` as const

const description = text('Description of the schedule', { minLength: 1, maxLength: 255, examples: ['Nightly build'] })
const ref = text('The branch or tag that it runs of', { minLength: 1, maxLength: 255, examples: ['main'] })
const cron = text('When it is due, as a cron line', { minLength: 1, maxLength: 255, examples: ['0 1 * * *'] })
const settings = {
  cron_timezone: optional(text('Time zone of the line; UTC unless given', { minLength: 1, maxLength: 255 })),
  active: optional(flag('Whether it runs; true unless given')),
}

const value = text('Value of the variable', { maxLength: 10_000, examples: ['staging'] })
const variable_type = Type.Optional(OneOf(['env_var', 'file'], { description: '`env_var` unless given' }))

export const listSchedules = endpoint({
  route: `GET ${path}`,
  summary: 'List the pipeline schedules of a project',
  scope: inProject,
  can: 'read_pipeline_schedule',
  params: { scope: optional(OneOf(['active', 'inactive'], { description: 'Only schedules that are active, or that are not' })) },
  answers: pageOf(PipelineSchedule),
  run: ({ db, project, params }) => schedulesOf(db, project.id, params.scope),
})

export const getSchedule = endpoint({
  route: `GET ${onePath}`,
  summary: 'Get a pipeline schedule',
  scope: inSchedule,
  can: 'read_pipeline_schedule',
  answers: one(PipelineScheduleDetails),
  run: ({ schedule }) => schedule,
})

// Contract: newer clients list the pipelines of a schedule (public behaviour after 14.0).
export const listPipelinesOfSchedule = endpoint({
  route: `GET ${onePath}/pipelines`,
  summary: 'List the pipelines that a schedule has run',
  scope: inSchedule,
  can: 'read_pipeline_schedule',
  answers: pageOf(PipelineBasic),
  run: ({ db, schedule }) => pipelinesOfSchedule(db, schedule.id),
})

export const createSchedule = endpoint({
  route: `POST ${path}`,
  summary: 'Create a pipeline schedule',
  scope: inProject,
  can: 'create_pipeline_schedule',
  params: {
    description,
    ref,
    cron,
    ...settings,
    variables: optional(Type.Array(GivenVariable, { description: 'Variables of its pipelines', maxItems: 200 })),
  },
  answers: one(PipelineScheduleDetails),
  run: ctx => {
    const { variables = [], ...attributes } = ctx.params
    return commands.createSchedule(ctx, ctx.project, attributes, variables.map(given))
  },
})

export const updateSchedule = endpoint({
  route: `PUT ${onePath}`,
  summary: 'Change a pipeline schedule, and become its owner',
  scope: inSchedule,
  can: 'update_pipeline_schedule',
  errors: ['conflict'],
  params: { description: Type.Optional(description), ref: Type.Optional(ref), cron: Type.Optional(cron), ...settings },
  answers: one(PipelineScheduleDetails),
  run: ctx => commands.updateSchedule(ctx, ctx.project, ctx.schedule, ctx.params),
})

export const takeOwnershipOfSchedule = endpoint({
  route: `POST ${onePath}/take_ownership`,
  summary: 'Become the owner of a pipeline schedule',
  scope: inSchedule,
  can: 'update_pipeline_schedule',
  answers: one(PipelineScheduleDetails),
  run: ctx => commands.takeOwnership(ctx, ctx.schedule),
})

export const deleteSchedule = endpoint({
  route: `DELETE ${onePath}`,
  summary: 'Delete a pipeline schedule',
  scope: inSchedule,
  can: 'update_pipeline_schedule',
  answers: nothing,
  run: ctx => commands.removeSchedule(ctx, ctx.schedule),
})

export const playSchedule = endpoint({
  route: `POST ${onePath}/play`,
  summary: 'Run a pipeline of a schedule immediately',
  scope: inSchedule,
  can: 'create_pipeline',
  // Contract: the answer is this message, since the pipeline is created in the background (pipeline schedules API).
  answers: one(plain('ScheduledPipelineAsked', Type.Object({ message: text('What happened, in words') }))),
  async run(ctx) {
    await commands.playSchedule(ctx, ctx.project, ctx.schedule)
    return { message: '201 Created' }
  },
})

export const createScheduleVariable = endpoint({
  route: `POST ${onePath}/variables`,
  summary: 'Give a pipeline schedule a variable, and become its owner',
  scope: inSchedule,
  can: 'update_pipeline_schedule',
  errors: ['conflict'],
  params: {
    key: text('Name of the variable', { minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9_]+$', examples: ['TARGET'] }),
    value,
    variable_type,
  },
  answers: one(ScheduleVariable),
  run: ctx => commands.addScheduleVariable(ctx, ctx.project, ctx.schedule, given(ctx.params)),
})

export const updateScheduleVariable = endpoint({
  route: `PUT ${onePath}/variables/:key`,
  summary: 'Change a variable of a pipeline schedule, and become its owner',
  scope: inScheduleVariable,
  can: 'update_pipeline_schedule',
  errors: ['conflict'],
  params: { value: Type.Optional(value), variable_type },
  answers: one(ScheduleVariable),
  run: ctx => commands.updateScheduleVariable(ctx, ctx.project, ctx.schedule, ctx.variable, ctx.params),
})

export const deleteScheduleVariable = endpoint({
  route: `DELETE ${onePath}/variables/:key`,
  summary: 'Take a variable from a pipeline schedule, and become its owner',
  scope: inScheduleVariable,
  can: 'update_pipeline_schedule',
  errors: ['conflict'],
  answers: nothing,
  run: ctx => commands.removeScheduleVariable(ctx, ctx.project, ctx.schedule, ctx.variable),
})
