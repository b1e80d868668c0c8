/** The list of pipeline schedules. Pure. */
import { zoneOf } from '../../ci/cron/time_zones.ts'
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import type { ScheduleRow } from '../../ci/schedules/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { avatar, type Pictured } from '../../platform/pages/components/avatar.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time, zonedTime } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { withoutEnding } from '../../platform/patterns/ends.ts'
import { pipelineChip } from '../pipelines/status_view.ts'
import { revisionPage } from '../repository/addresses.ts'
import { cronView } from './runs_view.ts'
import { schedulePath, schedulesPath } from './scope.ts'

export type Owner = Pictured & { readonly username: string }

/** A schedule with what a list shows of it. */
export interface ListedSchedule {
  readonly schedule: ScheduleRow
  readonly owner: Owner | undefined
  readonly last: PipelineRow | undefined
  readonly mayUpdate: boolean
  readonly mayPlay: boolean
}

export interface SchedulesView {
  readonly ctx: Pick<Context, 'actor' | 'deps'>
  readonly project: { readonly full_path: string }
  readonly scope: 'active' | 'inactive' | undefined
  readonly counts: Readonly<Record<'all' | 'active' | 'inactive', number>>
  readonly rows: readonly ListedSchedule[]
  readonly links: Html | undefined
  readonly mayCreate: boolean
}

const tabs = [
  ['all', 'All'],
  ['active', 'Active'],
  ['inactive', 'Inactive'],
] as const

const createLink = ({ project }: SchedulesView): Html =>
  html`<a class="btn btn-primary" href="${schedulesPath(project, '/new')}" data-hotkey="c">New schedule</a>`

export const schedulesHead = (view: SchedulesView): Html =>
  html`<div class="heading"><h1>Pipeline schedules</h1>${view.mayCreate && html`<div class="row">${createLink(view)}</div>`}</div>`

export const schedulesList = (view: SchedulesView): Html => html`
<nav class="subnav" aria-label="State">${tabs.map(([key, label]) => html`<a href="${schedulesPath(view.project, key === 'all' ? '' : `?scope=${key}`)}"${key === (view.scope ?? 'all') && html` aria-current="page"`}>${label} <span class="counter">${view.counts[key]}</span></a>`)}</nav>
${view.rows.length > 0 ? html`<ul class="list" data-list>${view.rows.map(row => scheduleItem(view, row))}</ul>${view.links}` : none(view)}`

const none = (view: SchedulesView): Html =>
  view.counts.all > 0
    ? empty({ icon: 'stopwatch', title: `No ${view.scope ?? ''} schedules`, says: 'None is like this.' })
    : empty({
        icon: 'stopwatch',
        title: 'No schedules yet',
        says: 'A schedule runs a pipeline of a branch or tag by the clock: a nightly build, a weekly check of dependencies.',
        ...(view.mayCreate && { action: createLink(view) }),
      })

/** The branch or tag that a schedule runs on, as a link to its files. */
export const scheduleRef = (project: { readonly full_path: string }, ref: string): Html => {
  const short = ref.replace(/^refs\/(heads|tags)\//, '')
  return html`${icon(ref.startsWith('refs/tags/') ? 'tag' : 'git-branch', 'Branch or tag')} <a class="mono break" href="${revisionPage(project, 'tree', short)}">${short}</a>`
}

/** What came of the last run of a schedule, where it made no pipeline. */
export const failedRun = ({ last_run_at, last_run_errors }: ScheduleRow): { readonly at: string; readonly why: string } | undefined =>
  last_run_at === null || last_run_errors.length === 0
    ? undefined
    : { at: last_run_at, why: last_run_errors.map(words => withoutEnding(words, /[.\s]/)).join('; ') }

/** Whose rights it runs with. */
export const ownerView = (owner: Owner | undefined): Html =>
  owner
    ? html`<a class="row" href="/${owner.username}">${avatar(owner, 20)} ${owner.name}</a>`
    : html`<span>${icon('alert')} no owner</span>`

function scheduleItem({ ctx, project }: SchedulesView, { schedule, owner, last, mayUpdate, mayPlay }: ListedSchedule): Html {
  const { description, ref, cron, cron_timezone, active, next_run_at } = schedule
  const zone = zoneOf(cron_timezone) ?? 'UTC'
  const failed = failedRun(schedule)
  return html`
<li>${icon('stopwatch')}<div class="main"><div class="title"><a href="${schedulePath(project, schedule)}">${description}</a> ${!active && chip('Inactive')}</div>
<div class="facts"><span>${scheduleRef(project, ref)}</span><span>${cronView(cron)}, ${cron_timezone}</span><span>${ownerView(owner)}</span></div>
${active && html`<div class="facts"><span>${next_run_at === null ? 'never due' : html`next: ${zonedTime(next_run_at, zone)}, ${time(next_run_at)}`}</span></div>`}
${failed && html`<div class="facts break"><span>the last run made no pipeline: ${failed.why}</span></div>`}</div>
<div class="facts">${failed ? html`${chip('No pipeline', 'attention', 'alert')}${time(failed.at)}` : last ? html`${pipelineChip(last)}${time(last.created_at)}` : 'has not run yet'}</div>
<div class="row">${mayPlay && actionButton(ctx, { to: schedulePath(project, schedule, '/play'), face: html`${icon('play')} Run`, label: `Run ${description} now` })}${mayUpdate && html`<a class="btn btn-sm" href="${schedulePath(project, schedule, '/edit')}" aria-label="Edit ${description}">${icon('pencil')} Edit</a>`}</div></li>`
}
