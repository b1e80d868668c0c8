/** Pipelines by the addresses of their pages. */
import { isOwnRun } from '../../ci/own.ts'
import { pipelineOfProject } from '../../ci/pipelines/queries.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'

/** The path of every page of a pipeline. */
export const PIPELINE = '/:project_path/-/pipelines/:pipeline_id'

/** `:pipeline_id` becomes a pipeline of the project, or 404. */
export const inPipelinePage = within(inProjectPage, {
  name: 'inPipelinePage',
  path: { pipeline_id: integer('ID of a pipeline') },
  async load({ db, actor, project }, { pipeline_id }) {
    const pipeline = await pipelineOfProject(db, project.id, pipeline_id)
    if (!pipeline) throw notFound('Pipeline')
    return { pipeline, isOwn: isOwnRun(actor, project, pipeline.user_id) }
  },
  subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
})

/** The path of a pipeline's page. Pure. */
export const pipelinePath = (project: { readonly full_path: string }, { id }: { readonly id: number }, rest = ''): string =>
  projectPath(project, `/-/pipelines/${id}${rest}`)
