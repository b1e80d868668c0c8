/** Jobs of several projects in a list. */
import { durationOf } from '../../../ci/jobs/entities/durations.ts'
import type { JobRow } from '../../../ci/jobs/queries.ts'
import { idsOf } from '../../../identity/users/queries.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { durationText } from '../../../platform/pages/components/numbers.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { type ProjectRow, projectsById } from '../../../spaces/projects/queries.ts'
import { jobPath } from '../../jobs/scope.ts'
import { statusChip } from '../../pipelines/status_view.ts'

/** The list, each job with its project: one statement for a page. */
export async function placedJobs({ db, now }: Pick<Context, 'db' | 'now'>, rows: readonly JobRow[]): Promise<Html> {
  const projects = await projectsById(db, idsOf(rows, 'project_id'))
  return html`<ul class="list" data-list>${rows.map(job => {
    // It exists, since jobs are deleted with it.
    const project = projects.get(job.project_id) as ProjectRow
    const duration = durationOf(job, now)
    return html`
<li><div class="status-cell">${statusChip(job.status, job.allow_failure)}</div><div class="main"><div class="title"><a href="${jobPath(project, job)}">${job.name}</a></div><div class="facts"><span>#${job.id}</span><span>of <a href="${projectPath(project)}">${project.full_path}</a></span><span>${job.stage}</span>${job.tags.map(tag => html`<span>${icon('tag', 'Tag')} ${tag}</span>`)}${job.runner_id !== null && html`<span>on <a href="/admin/runners/${job.runner_id}">runner #${job.runner_id}</a></span>`}</div></div>
<div class="facts">${duration !== null && html`<span>${icon('stopwatch', 'Time that it ran')} ${durationText(duration)}</span>`}${time(job.created_at)}</div></li>`
  })}</ul>`
}
