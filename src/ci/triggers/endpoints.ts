/** Trigger tokens, and starting pipelines with them (pipeline triggers API at 14.0). */
import Type from 'typebox'
import type { Context } from '../../platform/kernel/context.ts'
import { rest } from '../../platform/kernel/declaration/dialect.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { Pipeline } from '../pipelines/entity.ts'
import { encodeTriggerRef } from './address.ts'
import * as commands from './commands.ts'
import { Trigger } from './entity.ts'
import { type Fired, firePipeline } from './fire.ts'
import { triggersOf } from './queries.ts'
import { inTrigger, inTriggered } from './scope.ts'

const path = '/projects/:id/triggers' as const
const description = text('What it is for', { maxLength: 255, examples: ['Docs build'] })

export const listTriggers = endpoint({
  route: `GET ${path}`,
  summary: 'List the trigger tokens of a project',
  scope: inProject,
  can: 'admin_triggers',
  answers: pageOf(Trigger),
  run: ({ db, project }) => triggersOf(db, project.id),
})

export const getTrigger = endpoint({
  route: `GET ${path}/:trigger_id`,
  summary: 'Get a trigger token',
  scope: inTrigger,
  can: 'admin_triggers',
  answers: one(Trigger),
  run: ({ trigger }) => trigger,
})

export const createTrigger = endpoint({
  route: `POST ${path}`,
  summary: 'Create a trigger token',
  scope: inProject,
  can: 'admin_triggers',
  params: { description },
  answers: one(Trigger),
  run: ctx => commands.createTrigger(ctx, ctx.project.id, ctx.params.description),
})

export const updateTrigger = endpoint({
  route: `PUT ${path}/:trigger_id`,
  summary: 'Change the description of a trigger token',
  scope: inTrigger,
  can: 'admin_triggers',
  params: { description: Type.Optional(description) },
  answers: one(Trigger),
  run: ctx => commands.updateTrigger(ctx, ctx.trigger, ctx.params.description),
})

export const deleteTrigger = endpoint({
  route: `DELETE ${path}/:trigger_id`,
  summary: 'Delete a trigger token',
  scope: inTrigger,
  can: 'admin_triggers',
  answers: nothing,
  run: ctx => commands.removeTrigger(ctx, ctx.trigger),
})

const firing = {
  token: text('A trigger token, or that of a running job', { minLength: 1, maxLength: 255, examples: ['a-token'] }),
  variables: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'Variables of the pipeline, as `variables[KEY]=value`' }),
  ),
}
const ref = text('A branch or tag', { minLength: 1, maxLength: 255, examples: ['main'] })

async function fire(ctx: Context & { readonly projectId: string }, fired: Fired) {
  // Contract: pipeline webhooks start no pipelines, or they would never end (pipeline triggers API).
  if (ctx.request.headers['x-gitlab-event'] === 'Pipeline Hook') throw forbidden()
  return firePipeline(ctx, ctx.projectId, fired)
}

export const triggerPipeline = endpoint({
  route: 'POST /projects/:id/trigger/pipeline',
  summary: 'Start a pipeline by a token',
  scope: inTriggered,
  can: 'read_instance',
  anonymous: true,
  params: { ref, ...firing },
  // No transaction is open while remote files that a CI file includes are loaded.
  writes: 'own',
  answers: one(Pipeline),
  run: ctx => fire(ctx, ctx.params),
})

export const triggerPipelineOfRef = endpoint({
  route: 'POST /projects/:id/ref/:ref/trigger/pipeline',
  summary: 'Start a pipeline of the reference in the address by a token',
  scope: inTriggered,
  can: 'read_instance',
  anonymous: true,
  dialect: { ...rest, name: 'triggers', rewrite: encodeTriggerRef },
  params: { ref, ...firing },
  writes: 'own',
  answers: one(Pipeline),
  run: ctx => fire(ctx, ctx.params),
})
