/** Retrying, canceling and deleting pipelines. */
import { cancelPipeline, removePipeline, retryPipeline } from '../../ci/pipeline_actions/endpoints.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { inPipelinePage, PIPELINE, pipelinePath } from './scope.ts'

interface InOne {
  readonly project: ProjectWithRole
  readonly pipeline: { readonly id: number }
}

const one = { scope: inPipelinePage, next: ({ project, pipeline }: InOne) => pipelinePath(project, pipeline) } as const

export const pipelineChanges = {
  retry: action<InOne>({ ...one, route: `POST ${PIPELINE}/retry`, of: retryPipeline, notice: 'The failed jobs run again.' }),
  cancel: action<InOne>({ ...one, route: `POST ${PIPELINE}/cancel`, of: cancelPipeline, notice: 'The pipeline was canceled.' }),
  remove: action<InOne>({
    ...one,
    route: `POST ${PIPELINE}/delete`,
    of: removePipeline,
    next: ({ project }) => projectPath(project, '/-/pipelines'),
    notice: 'The pipeline was deleted.',
  }),
}
