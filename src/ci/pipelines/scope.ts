import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject, projectSubject } from '../../spaces/projects/scope.ts'
import { isOwnRun } from '../own.ts'
import { pipelineOfProject } from './queries.ts'

/** `:pipeline_id` becomes a pipeline of the project, or 404. `isOwn`: it runs for the caller, who may still run pipelines. */
export const inPipeline = within(inProject, {
  name: 'inPipeline',
  path: { pipeline_id: integer('ID of a pipeline') },
  async load({ db, actor, project }, { pipeline_id }) {
    const pipeline = await pipelineOfProject(db, project.id, pipeline_id)
    if (!pipeline) throw notFound('Pipeline')
    return { pipeline, isOwn: isOwnRun(actor, project, pipeline.user_id) }
  },
  subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
  modifiedAt: ({ pipeline }) => pipeline.updated_at,
})
