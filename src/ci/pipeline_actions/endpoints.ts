/** Actions on a pipeline (pipelines API at 14.0). */
import { endpoint, nothing, one } from '../../platform/kernel/declaration/endpoint.ts'
import { Pipeline } from '../pipelines/entity.ts'
import { inPipeline } from '../pipelines/scope.ts'
import * as cancel from './cancel.ts'
import * as remove from './remove.ts'
import * as retry from './retry.ts'

export const retryPipeline = endpoint({
  route: 'POST /projects/:id/pipelines/:pipeline_id/retry',
  summary: 'Run the jobs of a pipeline again that have failed or were canceled',
  scope: inPipeline,
  can: 'update_pipeline',
  answers: one(Pipeline),
  run: ctx => retry.retryPipeline(ctx, ctx.project, ctx.pipeline),
})

export const cancelPipeline = endpoint({
  route: 'POST /projects/:id/pipelines/:pipeline_id/cancel',
  summary: 'Cancel the jobs of a pipeline that have not ended',
  scope: inPipeline,
  can: 'update_pipeline',
  answers: one(Pipeline),
  run: ctx => cancel.cancelPipeline(ctx, ctx.project, ctx.pipeline),
})

export const removePipeline = endpoint({
  route: 'DELETE /projects/:id/pipelines/:pipeline_id',
  summary: 'Delete a pipeline with all that its jobs have left',
  scope: inPipeline,
  can: 'destroy_pipeline',
  answers: nothing,
  run: ctx => remove.removePipeline(ctx, ctx.project, ctx.pipeline),
})
