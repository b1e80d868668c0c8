/** The page of a pipeline schedule. Values of variables are not on it. Pure. */
import type { ScheduleRow, ScheduleVariableRow } from '../../ci/schedules/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { hidden } from '../../platform/pages/components/revealed.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
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
function failedView({ schedule, mayPlay }: ScheduleView): Html | undefined {
  const failed = failedRun(schedule)
  return (
    failed &&
    html`<div class="notice attention">${icon('alert')}<span>The run ${time(failed.at)} made no pipeline: ${failed.why}.${!schedule.active && ' The schedule is inactive now.'}${mayPlay && ' Once that is mended, “Run now” tries it.'}</span></div>`
  )
}

function variablesSection(view: ScheduleView, variables: readonly ScheduleVariableRow[]): Html {
  const { project, schedule, maySetVariables } = view
  return html`<section class="section"><div class="heading"><h2>Variables</h2>${maySetVariables && html`<div class="row"><a class="btn btn-sm" href="${schedulePath(project, schedule, '/variables/new')}">${icon('plus')} Add a variable</a></div>`}</div>${
    variables.length > 0
      ? html`<div class="scroll" tabindex="0" role="region" aria-label="Variables"><table class="data"><thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Kind</th><th scope="col">Change</th></tr></thead><tbody>${variables.map(row => variableRow(view, row))}</tbody></table></div>`
      : html`<p class="muted">Its pipelines get none besides those of the project and the CI file.</p>`
  }${!maySetVariables && html`<p class="muted small">Only Maintainers may give variables to pipelines of this project.</p>`}</section>`
}

function variableRow(
  { ctx, project, schedule, isOwn, maySetVariables }: ScheduleView,
  { id, key, variable_type }: ScheduleVariableRow,
): Html {
  const to = schedulePath(project, schedule, `/variables/${key}`)
  return html`<tr><th scope="row" class="mono">${key}</th><td>${hidden({ id: `variable-${id}`, to: `${to}/value`, label: `Show the value of ${key}` })}</td><td>${variable_type === 'file' ? chip('File', 'plain', 'file') : 'Value'}</td><td><div class="row">${maySetVariables && html`<a class="btn btn-sm" href="${to}/edit" aria-label="Edit ${key}">Edit</a>`}${actionButton(ctx, { to: `${to}/delete`, face: 'Remove', label: `Remove ${key}`, look: 'danger', asks: isOwn ? `Remove the variable ${key}?` : `Remove the variable ${key}? ${takesOver}` })}</div></td></tr>`
}
