/** The page of a pipeline schedule. Values of variables are not on it. Pure. */
import type { ScheduleRow, ScheduleVariableRow } from '../../ci/schedules/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { hidden } from '../../platform/pages/components/revealed.ts'
import { dataTable, type TableColumn } from '../../platform/pages/components/table.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { editorPath } from '../ci_editor/scope.ts'
import { type ListedPipeline, pipelineList } from '../pipelines/list_view.ts'
import { failedRun, type Owner, ownerView, scheduleRef } from './list_view.ts'
import { cronView, runsView } from './runs_view.ts'
import { schedulePath, schedulesPath } from './scope.ts'

export interface ScheduleView {
  readonly ctx: Pick<Context, 'actor' | 'deps' | 'now'>
  readonly project: { readonly full_path: string }
  readonly schedule: ScheduleRow
  readonly owner: Owner | undefined
  /** Does it run with the rights of the caller? */
  readonly isOwn: boolean
  readonly mayUpdate: boolean
  readonly mayPlay: boolean
  /** May the caller give variables to pipelines? */
  readonly maySetVariables: boolean
  /** Undefined for callers who may not change the schedule. */
  readonly variables: readonly ScheduleVariableRow[] | undefined
  readonly pipelines: readonly ListedPipeline[]
  readonly links: Html | undefined
}

/** What a change of a schedule of another user means. */
export const takesOver = 'You become its owner: from then on its pipelines run with your rights.'

export function scheduleHead(view: ScheduleView): Html {
  const { ctx, project, schedule, owner, isOwn, mayUpdate, mayPlay } = view
  const { description, active, ref, created_at } = schedule
  const to = (what: string) => schedulePath(project, schedule, `/${what}`)
  const named = owner ? `It runs with the rights of ${owner.name} now. ` : 'Its owner’s account is deleted. '
  const asks = (what: string) => (isOwn ? {} : { asks: `${what} ${named}${takesOver}` })
  return html`<div class="heading"><h1><a href="${schedulesPath(project)}">Schedules</a> <span class="muted light">/</span> ${description}</h1><div class="row">${mayPlay && actionButton(ctx, { to: to('play'), face: html`${icon('play')} Run now`, look: 'primary', title: 'It runs with your rights; the next time by the clock stays as it is' })}${mayUpdate && html`<a class="btn btn-sm" href="${to('edit')}">${icon('pencil')} Edit</a>${!isOwn && actionButton(ctx, { to: to('take_ownership'), face: html`${icon('person')} Take ownership`, ...asks('Take over this schedule?') })}${actionButton(ctx, { to: to(active ? 'deactivate' : 'activate'), face: active ? 'Deactivate' : 'Activate', ...asks(active ? 'Deactivate this schedule?' : 'Activate this schedule?') })}${actionButton(ctx, { to: to('delete'), face: html`${icon('trash')} Delete`, look: 'danger', asks: `Delete the schedule ${description}? The pipelines that it has run stay.` })}`}</div></div>
<div class="row facts item-facts">${active ? chip('Active', 'success') : chip('Inactive')}<span>${scheduleRef(project, ref)}</span><span class="row">runs with the rights of ${ownerView(owner)}</span><span>made ${time(created_at)}</span></div>`
}

export function scheduleBody(view: ScheduleView): Html {
  const { ctx, schedule, pipelines, links, project } = view
  const { cron, cron_timezone, active, next_run_at } = schedule
  return html`${view.owner === undefined && html`<div class="notice attention">${icon('alert')}<span>It has no owner whose rights it could run with: it runs no pipeline until one takes it over.</span></div>`}
${failedView(view)}
<section class="section"><h2>Next runs</h2>${active ? runsView(schedule, ctx.now, next_run_at) : html`<p class="muted">It is inactive. It would run: ${cronView(cron)}, ${cron_timezone}.</p>`}<p class="small muted">Cron line: <code>${cron}</code></p></section>
${view.variables && variablesSection(view, view.variables)}
<section class="section"><h2>Pipelines</h2>${pipelines.length > 0 ? html`${pipelineList(project, pipelines)}${links}` : html`<p class="muted">It has run none yet.</p>`}</section>`
}

/** Why the last run made no pipeline, and what may be done about it. */
function failedView({ project, schedule, mayPlay }: ScheduleView): Html | undefined {
  const failed = failedRun(schedule)
  const isTag = schedule.ref.startsWith('refs/tags/')
  const simulation = `${editorPath(project, schedule.ref.replace('refs/heads/', ''))}&tab=simulate&source=schedule`
  return (
    failed &&
    html`<div class="notice attention">${icon('alert')}<span>The last run (${time(failed.at)}) made no pipeline: ${failed.why}.${!schedule.active && ' The schedule is inactive now.'}${mayPlay && html` Once that is mended, “Run now” tries it.${!isTag && html` <a href="${simulation}">See which jobs it would have, and why</a>`}`}</span></div>`
  )
}

function variablesSection(view: ScheduleView, variables: readonly ScheduleVariableRow[]): Html {
  const { project, schedule, maySetVariables } = view
  return html`<section class="section"><div class="heading"><h2>Variables</h2>${maySetVariables && html`<div class="row"><a class="btn btn-sm" href="${schedulePath(project, schedule, '/variables/new')}">${icon('plus')} Add a variable</a></div>`}</div>${
    variables.length > 0
      ? dataTable({ label: 'Variables', columns: variableColumns(view), rows: variables })
      : html`<p class="muted">Its pipelines get none besides those of the project and the CI file.</p>`
  }${!maySetVariables && html`<p class="muted small">Only Maintainers may give variables to pipelines of this project.</p>`}</section>`
}

function variableColumns({ ctx, project, schedule, isOwn, maySetVariables }: ScheduleView): readonly TableColumn<ScheduleVariableRow>[] {
  const to = ({ key }: ScheduleVariableRow) => schedulePath(project, schedule, `/variables/${key}`)
  return [
    { title: 'Name', className: 'mono', cell: ({ key }) => key },
    {
      title: 'Value',
      cell: row => hidden({ id: `variable-${row.id}`, to: `${to(row)}/value`, label: `Show the value of ${row.key}` }),
    },
    { title: 'Kind', cell: ({ variable_type }) => (variable_type === 'file' ? chip('File', 'plain', 'file') : 'Value') },
    {
      title: 'Change',
      cell: row =>
        html`<div class="row">${maySetVariables && html`<a class="btn btn-sm" href="${to(row)}/edit" aria-label="Edit ${row.key}">Edit</a>`}${actionButton(ctx, { to: `${to(row)}/delete`, face: 'Remove', label: `Remove ${row.key}`, look: 'danger', asks: isOwn ? `Remove the variable ${row.key}?` : `Remove the variable ${row.key}? ${takesOver}` })}</div>`,
    },
  ]
}
