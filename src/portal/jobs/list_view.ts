/** Jobs in lists. Pure. */
import { durationOf } from '../../ci/jobs/entities/durations.ts'
import type { JobRow } from '../../ci/jobs/queries.ts'
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import { jobMachine } from '../../ci/states.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { durationText } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { FilterKey } from '../items/filter_text.ts'
import { refView } from '../pipelines/list_view.ts'
import { pipelinePath } from '../pipelines/scope.ts'
import { statusChip } from '../pipelines/status_view.ts'
import { jobPath } from './scope.ts'

/** The filter of jobs, with the API's own parameter. */
export const jobFilterKeys: readonly FilterKey[] = [
  { key: 'status', param: 'scope', says: 'is in one of the states', many: true, values: jobMachine.states },
]

export const jobList = (
  { now }: Pick<Context, 'now'>,
  project: { readonly full_path: string },
  rows: readonly JobRow[],
  pipelines: ReadonlyMap<number, PipelineRow>,
): Html =>
  html`<ul class="list" data-list>${rows.map(job => {
    const duration = durationOf(job, now)
    // It exists, since jobs are deleted with it.
    const pipeline = pipelines.get(job.pipeline_id) as PipelineRow
    return html`
<li><div class="status-cell">${statusChip(job.status, job.allow_failure)}</div><div class="main"><div class="title"><a href="${jobPath(project, job)}">${job.name}</a></div><div class="facts"><span>#${job.id}</span><span>${job.stage}</span><span>of <a href="${pipelinePath(project, pipeline)}">#${pipeline.id}</a></span><span>${refView(project, pipeline)}</span></div></div><div class="facts">${duration !== null && html`<span>${icon('stopwatch', 'Time that it ran')} ${durationText(duration)}</span>`}${time(job.created_at)}</div></li>`
  })}</ul>`
