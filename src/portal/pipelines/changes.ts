/** Running, retrying, canceling and deleting pipelines. */
import { cancelPipeline, removePipeline, retryPipeline } from '../../ci/pipeline_actions/endpoints.ts'
import { createPipeline } from '../../ci/pipeline_creation/endpoints.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { inPipelinePage, PIPELINE, pipelinePath } from './scope.ts'

interface InOne {
  readonly project: ProjectWithRole
  readonly pipeline: { readonly id: number }
}

/** Lines of `KEY=value` as variables; empty lines are none. */
export function variablesIn(typed: string): { readonly key: string; readonly value: string }[] {
  return typed
    .split(/\r?\n/)
    .filter(line => line.trim() !== '')
    .map(line => {
      const [, key, value] = /^\s*([A-Za-z0-9_]+)\s*=(.*)$/.exec(line) ?? []
      if (key === undefined || value === undefined) throw invalid({ variables: [`has a line that is no KEY=value: ${line.slice(0, 80)}`] })
      return { key, value }
    })
}

const run = form<{ readonly project: ProjectWithRole }>({
  path: '/:project_path/-/pipelines/new',
  summary: 'Run a pipeline',
  scope: inProjectPage,
  of: createPipeline,
  instead: {
    of: ['variables'],
    params: { variables: optional(text('Variables of this pipeline, a line of `KEY=value` for each', { maxLength: 1_000_000 })) },
    adapt: async (_ctx, { variables, ...params }) => ({
      ...params,
      ...(typeof variables === 'string' ? { variables: variablesIn(variables) } : {}),
    }),
  },
  fields: () => [
    { name: 'ref', label: 'Branch or tag', autofocus: true, hint: 'Its CI file says which jobs run.' },
    {
      name: 'variables',
      control: 'textarea',
      hint: 'For this pipeline alone, a line of `KEY=value` for each. They are stronger than those of the project.',
    },
  ],
  // What the address gives: `?ref=topic`.
  values: ({ project, request }) => ({
    ref: new URLSearchParams(request.address.split('?', 2)[1] ?? '').get('ref') ?? project.default_branch ?? '',
  }),
  next: ({ project }, pipeline: { readonly id: number }) => pipelinePath(project, pipeline),
  cancel: ({ project }) => projectPath(project, '/-/pipelines'),
  notice: 'The pipeline was made.',
  button: 'Run the pipeline',
  frame: ({ actor, project }) => ({ title: 'Run a pipeline', place: projectPlace(actor, project, 'pipelines') }),
})

const one = { scope: inPipelinePage, next: ({ project, pipeline }: InOne) => pipelinePath(project, pipeline) } as const

export const pipelineChanges = {
  showRun: run.show,
  run: run.submit,
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
