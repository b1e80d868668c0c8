/** Creating pipelines by request (pipelines API at 14.0). */
import Type from 'typebox'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { Pipeline } from '../pipelines/entity.ts'
import { GivenVariable } from '../run_variables/params.ts'
import * as create from './create.ts'
import { pipelineInputFor } from './input_for_ref.ts'

export const createPipeline = endpoint({
  route: 'POST /projects/:id/pipeline',
  summary: 'Create a pipeline for a branch or tag',
  scope: inProject,
  can: 'create_pipeline',
  params: {
    ref: text('A branch or tag', { minLength: 1, maxLength: 255, examples: ['main'] }),
    variables: Type.Optional(Type.Array(GivenVariable, { description: 'Variables of this pipeline' })),
  },
  // A CI file may include remote files: no transaction is open while they are loaded.
  writes: 'own',
  answers: one(Pipeline),
  run: async ctx => create.createPipeline(ctx, ctx.project, await pipelineInputFor(ctx, ctx.project, ctx.params)),
})
