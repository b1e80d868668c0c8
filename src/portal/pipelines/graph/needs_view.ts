/** The tab with the jobs of a pipeline by what they need: a graph, and the same as a table. Pure. */
import type { ShownJob } from '../../../ci/jobs/lists/shown.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { dataTable } from '../../../platform/pages/components/table.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { statusChip } from '../status_view.ts'
import { graphView, jobHref } from './graph_view.ts'
import { bySteps } from './needs.ts'

export function needsView(project: { readonly full_path: string }, pipeline: { readonly id: number }, jobs: readonly ShownJob[]): Html {
  const shown = bySteps(jobs)
  if (shown.length === 0)
    return empty({
      icon: 'workflow',
      title: 'No job needs another',
      says: html`Each stage waits for the one before. A job with <code>needs</code> in the CI file starts as soon as those jobs have ended.`,
    })
  const neededBy = Map.groupBy(
    shown.flatMap(({ name, needs }) => (needs ?? []).map(needed => ({ needed, name }))),
    ({ needed }) => needed,
  )
  const left = jobs.length - shown.length
  return html`${graphView(project, pipeline, shown)}${dataTable({
    label: 'What jobs need',
    rows: [...shown].sort((a, b) => a.stage_position - b.stage_position),
    columns: [
      { title: 'Job', cell: job => nameView(project, job) },
      { title: 'Status', cell: ({ status, allow_failure }) => statusChip(status, allow_failure) },
      { title: 'Needs', cell: ({ needs }) => namesView(needs ?? []) },
      { title: 'Is needed by', cell: ({ name }) => namesView((neededBy.get(name) ?? []).map(by => by.name)) },
    ],
  })}${left > 0 && html`<p class="muted">${left === 1 ? 'One more job waits' : `${left} more jobs wait`} for whole stages.</p>`}`
}

function nameView(project: { readonly full_path: string }, job: ShownJob): Html {
  const href = jobHref(project, job)
  return href === undefined ? html`${job.name}` : html`<a href="${href}">${job.name}</a>`
}

const namesView = (names: readonly string[]): Html =>
  names.length === 0 ? html`<span class="muted">none</span>` : html`${names.join(', ')}`
