/** The page of a merge request's pipelines. */
import { answerOf } from '../../../platform/pages/answers.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pageLink } from '../../../platform/pages/components/page_link.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { html } from '../../../platform/pages/html.ts'
import { listParams } from '../../../platform/pages/lists.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import { createMergeRequestPipeline, listMergeRequestPipelines } from '../../../review/merge_request_pipelines/endpoints.ts'
import { statusChip } from '../../pipelines/status_view.ts'
import { mergeRequestTopicOf } from '../live.ts'
import { mayIn, pageOf, shownOf } from '../page.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../scope.ts'

/** The JSON of a pipeline, as far as the list shows it. */
interface ListedPipeline {
  readonly id: number
  readonly sha: string
  readonly ref: string
  readonly status: string
  readonly source: string
  readonly created_at: string
  readonly updated_at: string
  readonly web_url: string
}

export const showPipelines = pageEndpoint({
  route: `GET ${MERGE_REQUEST}/pipelines`,
  summary: 'Show the pipelines of a merge request',
  scope: inMergeRequestPage,
  can: 'read_pipeline',
  params: listParams,
  async run(ctx) {
    const { mergeRequest } = ctx
    const topic = mergeRequestTopicOf(mergeRequest)
    const [shown, { rows: found, links }] = await Promise.all([shownOf(ctx), answerOf(ctx, listMergeRequestPipelines, ctx.params)])
    const rows = found as unknown as readonly ListedPipeline[]
    const mayRun = mergeRequest.state === 'opened' && mayIn(ctx, 'create_pipeline')
    const run =
      mayRun &&
      html`<div class="row above-list">${actionButton(ctx, { to: mergeRequestPath(ctx, '/pipelines'), face: html`${icon('play')} Run a pipeline` })}</div>`
    const list =
      rows.length === 0
        ? empty({
            icon: 'workflow',
            title: 'No pipelines',
            says: 'A pipeline runs the jobs of the CI file for the commits of the source branch, where its rules say so.',
          })
        : html`<ul class="list" data-list>${rows.map(pipeline => html`<li><div class="status-cell">${statusChip(pipeline.status)}</div><div class="main"><div class="title">${pageLink(pipeline.web_url, `Pipeline #${pipeline.id}`)}</div><div class="facts"><span class="mono">${pipeline.sha.slice(0, 8)}</span><span>${pipeline.source === 'merge_request_event' ? 'of the merge request' : html`of the branch <span class="mono">${pipeline.ref}</span>`}</span>${time(pipeline.created_at)}${pipeline.sha === shown.sha && html`<span>newest commit</span>`}</div></div></li>`)}</ul>${links}`
    return pageOf(ctx, shown, 'pipelines', html`${run}${livePart('mr-pipelines', topic, list)}`)
  },
})

export const runPipeline = action({
  route: `POST ${MERGE_REQUEST}/pipelines`,
  of: createMergeRequestPipeline,
  scope: inMergeRequestPage,
  next: ctx => mergeRequestPath(ctx, '/pipelines'),
  notice: 'The pipeline was created.',
})
