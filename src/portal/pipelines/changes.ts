/** Retrying, canceling, naming and deleting pipelines. */
import { cancelPipeline, removePipeline, retryPipeline } from '../../ci/pipeline_actions/endpoints.ts'
import { updatePipelineMetadata } from '../../ci/pipelines/endpoints.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { inPipelinePage, PIPELINE, pipelinePath } from './scope.ts'

interface InOne {
  readonly project: ProjectWithRole
  readonly pipeline: { readonly id: number; readonly name: string | null }
}

const one = { scope: inPipelinePage, next: ({ project, pipeline }: InOne) => pipelinePath(project, pipeline) } as const

const name = form<InOne>({
  path: `${PIPELINE}/name`,
  summary: 'Name a pipeline',
  of: updatePipelineMetadata,
  ...one,
  fields: () => [{ name: 'name', hint: 'Shown in place of the title of its commit; empty for none.', autofocus: true }],
  values: ({ pipeline }) => ({ name: pipeline.name }),
  empty: 'sent',
  cancel: one.next,
  notice: 'The pipeline was named.',
  button: 'Save',
  frame: ({ actor, project, pipeline }: Context & InOne) => ({
    title: `Name pipeline #${pipeline.id}`,
    place: projectPlace(actor, project, 'pipelines'),
  }),
})

export const pipelineChanges = {
  showName: name.show,
  name: name.submit,
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
