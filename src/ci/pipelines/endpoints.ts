/** Pipelines of a project (pipelines API at 14.0). */
import Type from 'typebox'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { DateTime, flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { namePipeline } from './commands.ts'
import { Pipeline } from './entity.ts'
import { PipelineBasic, PipelineStatus } from './lists/basic.ts'
import { latestPipeline } from './lists/latest.ts'
import { pipelineOrders, pipelineScopes, pipelinesOfProject } from './lists/lists.ts'
import { type PipelineRow, pipelineById } from './queries.ts'
import { requireRightsOnPipeline } from './rights/rights.ts'
import { inPipeline } from './scope.ts'
import { pipelineSources } from './sources.ts'
import { PipelineVariable, variablesOfPipeline } from './variables.ts'

export const listPipelines = endpoint({
  route: 'GET /projects/:id/pipelines',
  summary: 'List the pipelines of a project',
  scope: inProject,
  can: 'read_pipeline',
  params: {
    scope: Type.Optional(OneOf(pipelineScopes, { description: '`branches` and `tags`: the newest of each' })),
    status: Type.Optional(PipelineStatus),
    source: optional(OneOf(pipelineSources, { description: 'Only pipelines that were made by this' })),
    ref: optional(text('A branch or tag')),
    sha: optional(text('ID of a commit')),
    yaml_errors: optional(flag('Those whose CI file is wrong')),
    name: optional(text('Name of the user they run for')),
    username: optional(text('Username of the user they run for')),
    updated_after: optional(DateTime('Only pipelines changed after this instant')),
    updated_before: optional(DateTime('Only pipelines changed before this instant')),
    order_by: OneOf(pipelineOrders, { description: 'What the list is ordered by', default: 'id' }),
    sort: OneOf(['asc', 'desc'], { description: '`asc` or `desc`', default: 'desc' }),
  },
  answers: pageOf(PipelineBasic),
  run: ctx => pipelinesOfProject(ctx, ctx.project, ctx.params),
})

export const getLatestPipeline = endpoint({
  route: 'GET /projects/:id/pipelines/latest',
  summary: 'Get the newest pipeline of the tip of a branch or tag',
  scope: inProject,
  can: 'read_pipeline',
  params: { ref: optional(text('A branch or tag; the default branch unless given')) },
  answers: one(Pipeline),
  run: ctx => latestPipeline(ctx, ctx.project, ctx.params.ref),
})

export const getPipeline = endpoint({
  route: 'GET /projects/:id/pipelines/:pipeline_id',
  summary: 'Get a pipeline',
  scope: inPipeline,
  can: 'read_pipeline',
  answers: one(Pipeline),
  run: ({ pipeline }) => pipeline,
})

export const updatePipelineMetadata = endpoint({
  route: 'PUT /projects/:id/pipelines/:pipeline_id/metadata',
  summary: 'Name a pipeline',
  scope: inPipeline,
  can: 'update_pipeline',
  params: { name: text('Name of the pipeline; empty for none', { maxLength: 255, examples: ['Nightly'] }) },
  answers: one(Pipeline),
  async run(ctx) {
    const { db, project, pipeline, params, now } = ctx
    await requireRightsOnPipeline(ctx, project, pipeline)
    await namePipeline(db, pipeline.id, params.name.trim() || null, now)
    return (await pipelineById(db, pipeline.id)) as PipelineRow
  },
})

export const listPipelineVariables = endpoint({
  route: 'GET /projects/:id/pipelines/:pipeline_id/variables',
  summary: 'List the variables that a pipeline was given',
  scope: inPipeline,
  can: 'read_pipeline_variable',
  answers: pageOf(PipelineVariable),
  run: ({ db, pipeline }) => variablesOfPipeline(db, pipeline.id),
})
