/** The page of the variables that a pipeline was given. */
import { listPipelineVariables } from '../../ci/pipelines/endpoints.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { dataTable } from '../../platform/pages/components/table.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import { inPipelinePage, PIPELINE, pipelinePath } from '../pipelines/scope.ts'

/** The JSON of a variable. */
interface Given {
  readonly key: string
  readonly value: string
  readonly variable_type: 'env_var' | 'file'
}

export const showGivenVariables = pageEndpoint({
  route: `GET ${PIPELINE}/variables`,
  summary: 'Show the variables that a pipeline was given',
  scope: inPipelinePage,
  can: 'read_pipeline_variable',
  params: listParams,
  async run(ctx) {
    const { actor, project, pipeline, params } = ctx
    const { rows, links } = await answerOf(ctx, listPipelineVariables, params)
    const given = rows as unknown as readonly Given[]
    return page(ctx, {
      title: `Variables of pipeline #${pipeline.id}`,
      place: projectPlace(actor, project, 'pipelines'),
      body: html`<p class="muted">What <a href="${pipelinePath(project, pipeline)}">pipeline #${pipeline.id}</a> was started with, besides the variables of the CI file and of the settings.</p>${
        given.length === 0
          ? empty({ icon: 'key', title: 'No variables', says: 'It was started without variables.' })
          : html`${dataTable({
              label: 'Variables',
              rows: given,
              columns: [
                { title: 'Key', cell: ({ key }) => html`<span class="mono">${key}</span>` },
                {
                  title: 'Value',
                  cell: ({ key, value }) =>
                    html`<code>${value === '' ? '(empty)' : value}</code> ${value !== '' && copyButton(`Copy the value of ${key}`, value)}`,
                },
                { title: 'Type', cell: ({ variable_type }) => (variable_type === 'file' ? 'File' : 'Variable') },
              ],
            })}${links}`
      }`,
    })
  },
})
