/** Pipelines of a merge request (merge requests API at 14.0). */

import { Pipeline } from '../../ci/pipelines/entity.ts'
import { PipelineBasic } from '../../ci/pipelines/lists/basic.ts'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inMergeRequest } from '../merge_requests/scope.ts'
import * as commands from './commands.ts'
import { pipelinesOfMergeRequest } from './queries.ts'

export const listMergeRequestPipelines = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/pipelines',
  summary: 'List the pipelines of a merge request, and those of its source branch',
  scope: inMergeRequest,
  can: 'read_pipeline',
  answers: pageOf(PipelineBasic),
  run: ({ db, mergeRequest }) => pipelinesOfMergeRequest(db, mergeRequest),
})

export const createMergeRequestPipeline = endpoint({
  route: 'POST /projects/:id/merge_requests/:merge_request_iid/pipelines',
  summary: 'Create a pipeline of a merge request',
  scope: inMergeRequest,
  can: 'create_pipeline',
  writes: 'own',
  answers: one(Pipeline),
  run: ctx => commands.createMergeRequestPipeline(ctx, ctx.mergeRequest),
})
