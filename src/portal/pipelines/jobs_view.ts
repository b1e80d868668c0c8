/** The jobs of a pipeline by stage: the graph in words, with what can be done with each. Pure. */
import { durationOf } from '../../ci/jobs/entities/durations.ts'
import type { ShownJob } from '../../ci/jobs/lists/shown.ts'
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import { alive } from '../../ci/states.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { counted, durationText } from '../../platform/pages/components/numbers.ts'
import { countdown, time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { jobPath } from '../jobs/scope.ts'
import { jobHref } from './graph/graph_view.ts'
import { pipelineTopicOf } from './live.ts'
import type { WhyClosed } from './runnable.ts'
import { pipelinePath } from './scope.ts'
import { pipelineChip, statusChip } from './status_view.ts'

export interface JobsView {
  readonly ctx: Pick<Context, 'actor' | 'deps' | 'now'>
  readonly project: { readonly full_path: string }
  /** May the caller run, retry and cancel jobs? */
  readonly mayUpdate: boolean
  /** Why the caller may not run a job; undefined where they may. */
  readonly closed: WhyClosed
  /** The pipelines that bridges have started, as far as the caller sees them. */
  readonly started: ReadonlyMap<number, PipelineRow>
}

/** Jobs that the page lists. Stages beyond them are loaded when they come into view: the graph is there first. */
const MOST_LISTED = 200

/** A list for each stage, in their order. */
export function jobsByStage(view: JobsView, pipeline: { readonly id: number }, jobs: readonly ShownJob[]): Html {
  let listed = 0
  return html`${[...Map.groupBy(jobs, ({ stage_position }) => stage_position).values()].map(ofStage => {
    listed += ofStage.length
    const [first] = ofStage as [ShownJob]
    const list = listed > MOST_LISTED ? laterStage(view, pipeline, first, ofStage.length) : stageList(view, ofStage)
    return html`<section class="section" aria-label="Stage ${first.stage}"><h2>${first.stage}</h2>
${list}</section>`
  })}`
}

const stageList = (view: JobsView, jobs: readonly ShownJob[]): Html =>
  html`<ul class="list" data-list>${jobs.map(job => jobItem(view, job))}</ul>`

const stageFrame = ({ stage_position }: ShownJob): string => `jobs-of-stage-${stage_position}`

/** Without a script the link leads to the page of the stage. */
function laterStage({ project }: JobsView, pipeline: { readonly id: number }, first: ShownJob, count: number): Html {
  const src = pipelinePath(project, pipeline, `/stage?position=${first.stage_position}`)
  return html`<turbo-frame id="${stageFrame(first)}" src="${src}" loading="lazy" refresh="morph" target="_top" data-follows="${pipelineTopicOf(pipeline)}"><a href="${src}">${counted(count, 'job')}</a></turbo-frame>`
}

/** The jobs of one stage, on its page and in the place of the link to it. */
export const stageView = (view: JobsView, [first, ...others]: readonly [ShownJob, ...ShownJob[]]): Html =>
  html`<section class="section" aria-label="Stage ${first.stage}"><h2>${first.stage}</h2>
<turbo-frame id="${stageFrame(first)}">${stageList(view, [first, ...others])}</turbo-frame></section>`

function jobItem(view: JobsView, job: ShownJob): Html {
  const { id, name, kind, status, allow_failure, needs, environment, coverage, failure_reason, scheduled_at, started_at } = job
  const duration = durationOf(job, view.ctx.now)
  const started = view.started.get(id)
  const href = jobHref(view.project, job)
  return html`
<li id="job-${id}"><div class="status-cell">${statusChip(status, allow_failure)}</div><div class="main"><div class="title row">${href === undefined ? name : html`<a href="${href}">${name}</a>`}${kind === 'bridge' && chip('Starts a pipeline', 'plain', 'workflow')}${started && pipelineChip(started)}${environment !== null && html`<span class="muted small">${icon('rocket', 'Environment')} ${environment}</span>`}</div>
<div class="facts"><span>#${id}</span>${status === 'failed' && failure_reason !== null && html`<span>${reasonText(failure_reason)}</span>`}${needs !== null && needs.length > 0 && html`<span>needs ${needs.join(', ')}</span>`}${status === 'scheduled' && scheduled_at !== null && html`<span>starts by itself: ${countdown(scheduled_at)}</span>`}${coverage !== null && html`<span>${coverage} % covered</span>`}</div></div>
<div class="facts">${duration !== null && html`<span>${icon('stopwatch', 'Time that it ran')} ${durationText(duration)}</span>`}${started_at !== null && time(started_at)}</div>
${view.mayUpdate && html`<div class="row">${jobButtons(view.ctx, view.project, job, view.closed(job))}</div>`}</li>`
}

/**
 * What can be done with a job in its status. `next` of each leads to the page of the job that then stands for it.
 * @param closed why the caller may not run it: said in the place of the button
 */
export function jobButtons(
  ctx: Pick<Context, 'actor' | 'deps'>,
  project: { readonly full_path: string },
  job: Pick<ShownJob, 'id' | 'name' | 'kind' | 'status'>,
  closed?: string,
): Html {
  const { name, kind, status } = job
  const to = (what: string) => jobPath(project, job, `/${what}`)
  const mayPlay = kind !== 'external' && ['manual', 'scheduled'].includes(status)
  const mayRetry = kind === 'build' && ['success', 'failed', 'canceled'].includes(status)
  const mayCancel = kind === 'build' && alive.includes(status)
  const reason = closed && (mayPlay || mayRetry || mayCancel) && html`<span class="muted small">${icon('shield-lock')} ${closed}</span>`
  return html`${reason}${mayPlay && !closed && actionButton(ctx, { to: to('play'), face: html`${icon('play')} ${status === 'scheduled' ? 'Start now' : 'Run'}`, label: `${status === 'scheduled' ? 'Start now' : 'Run'} ${name}` })}${mayRetry && !closed && actionButton(ctx, { to: to('retry'), face: html`${icon('sync')} Retry`, label: `Retry ${name}` })}${mayCancel && !closed && actionButton(ctx, { to: to('cancel'), face: html`${icon('circle-slash')} Cancel`, label: `Cancel ${name}` })}`
}

/** `script_failure` as `script failure`. */
export const reasonText = (reason: string): string => reason.replaceAll('_', ' ')
