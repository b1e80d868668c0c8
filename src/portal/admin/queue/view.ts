/** Views of the queue. Pure. */

import { withoutSecrets } from '../../../platform/events/audit/changes.ts'
import type { QueuedJob, TaskState } from '../../../platform/events/queue_state.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { dataTable } from '../../../platform/pages/components/table.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { actionButton } from '../../../platform/pages/forms/action.ts'
import { type Html, html } from '../../../platform/pages/html.ts'

const LIST = '/admin/background_jobs'

/** A queue whose first job waits longer than this is stuck, in milliseconds. */
const STUCK_AFTER = 60_000

/** The tasks that are stuck: their jobs could run and nobody takes them. */
export const stuckTasks = (tasks: readonly TaskState[], now: Date): readonly TaskState[] =>
  tasks.filter(({ waiting_since }) => waiting_since !== null && now.getTime() - Date.parse(waiting_since) > STUCK_AFTER)

/** What is wrong with the queue, first of all. `leads`: with a link to its page. */
export function queueNotice(tasks: readonly TaskState[], now: Date, leads = false): Html {
  const toJobs = leads && html`<a href="/admin/background_jobs">Background jobs</a>`
  const stuck = stuckTasks(tasks, now)
  const givenUp = tasks.reduce((sum, { given_up }) => sum + given_up, 0)
  if (stuck.length > 0)
    return html`<div class="notice danger" role="status">${icon('alert')}<span><strong>The queue is stuck.</strong> Jobs of ${stuck.map(({ task }) => task).join(', ')} wait; the first came ${time(stuck.map(({ waiting_since }) => waiting_since as string).sort()[0] as string)}. Is a process running with workers (<code>INGOT_WORKERS</code>), and has the disk room? ${toJobs}</span></div>`
  if (givenUp > 0)
    return html`<div class="notice attention" role="status">${icon('alert')}<span>${givenUp} ${givenUp === 1 ? 'job has' : 'jobs have'} failed too often and ${givenUp === 1 ? 'is' : 'are'} not tried again. ${toJobs}</span></div>`
  return html`<div class="notice success" role="status">${icon('check')}<span>The queue is served: nothing waits longer than a minute.</span></div>`
}

export const tasksTable = (tasks: readonly TaskState[]): Html =>
  tasks.length === 0
    ? empty({
        icon: 'check',
        title: 'The queue is empty',
        says: 'Work after a request (events, mails, pipelines, sweeps) waits here for a moment.',
      })
    : dataTable<TaskState>({
        label: 'Tasks',
        rows: tasks,
        columns: [
          { title: 'Task', cell: ({ task }) => task },
          { title: 'Waiting', cell: ({ waiting }) => waiting },
          { title: 'Running', cell: ({ running }) => running },
          { title: 'Later', cell: ({ later }) => later },
          { title: 'Failing', cell: ({ failing }) => failing },
          { title: 'Given up', cell: ({ given_up }) => given_up },
          { title: 'Waiting since', cell: ({ waiting_since }) => (waiting_since === null ? '–' : time(waiting_since)) },
        ],
      })

/** Jobs of the queue, with what went wrong and what can be done about it. */
export const jobList = (ctx: Pick<Context, 'actor' | 'deps' | 'now'>, jobs: readonly QueuedJob[]): Html =>
  jobs.length === 0 ? html`<p class="muted">No jobs.</p>` : html`<ul class="list" data-list>${jobs.map(job => jobItem(ctx, job))}</ul>`

function stateChip({ attempts, max_attempts, error, locked_at, run_at }: QueuedJob, now: Date): Html {
  if (locked_at !== null) return chip('running', 'accent')
  if (attempts >= max_attempts) return chip('given up', 'danger')
  if (error !== null) return chip('failing', 'attention')
  return Date.parse(run_at) > now.getTime() ? chip('later') : chip('waiting')
}

function jobItem(ctx: Pick<Context, 'actor' | 'deps' | 'now'>, job: QueuedJob): Html {
  const { id, task, attempts, max_attempts, run_at, error } = job
  const [first = '', ...rest] = (error ?? '').split('\n')
  return html`<li><div class="main"><div class="title"><a href="${LIST}/${id}">${task}</a> ${stateChip(job, ctx.now)}</div>${error !== null && html`<div class="mono error-text">${first}</div>`}
${rest.length > 0 && html`<details class="small"><summary>Where it came from</summary><div class="scroll" tabindex="0"><pre>${rest.join('\n')}</pre></div></details>`}
<div class="facts"><span>Job ${id}</span><span>${attempts} of ${max_attempts} attempts</span>${attempts < max_attempts && html`<span>Next: ${time(run_at)}</span>`}</div></div>
${jobButtons(ctx, job)}</li>`
}

/** A job that failed is tried again or deleted, unless it runs just now. */
const jobButtons = (ctx: Pick<Context, 'actor' | 'deps'>, { id, error, locked_at }: QueuedJob): Html | undefined =>
  error === null || locked_at !== null
    ? undefined
    : html`<div class="row">${actionButton(ctx, { to: `${LIST}/${id}/retry`, face: 'Retry', label: `Retry job ${id}` })}${actionButton(ctx, { to: `${LIST}/${id}/delete`, face: 'Delete', look: 'danger', label: `Delete job ${id}`, asks: `Delete job ${id}? What it would have done is not done.` })}</div>`

/** One job with its arguments, without secrets. */
export function jobView(ctx: Pick<Context, 'actor' | 'deps' | 'now'>, job: QueuedJob & { readonly payload: unknown }): Html {
  const { id, task, attempts, max_attempts, created_at, run_at, locked_at, locked_by, queue, error, payload } = job
  return html`<div class="heading"><h1>${task} ${stateChip(job, ctx.now)}</h1>${jobButtons(ctx, job)}</div>
<dl class="facts-list"><dt>ID</dt><dd>${id}</dd><dt>Attempts</dt><dd>${attempts} of ${max_attempts}</dd><dt>Queued</dt><dd>${time(created_at)}</dd>
<dt>${locked_at === null ? 'Next attempt' : 'Running since'}</dt><dd>${attempts >= max_attempts && locked_at === null ? 'none' : time(locked_at ?? run_at)}</dd>${locked_by !== null && html`<dt>Taken by</dt><dd class="mono break">${locked_by}</dd>`}${queue !== null && html`<dt>One after another with</dt><dd class="mono">${queue}</dd>`}</dl>
<section class="section"><h2>Arguments</h2><div class="scroll" tabindex="0"><pre>${JSON.stringify(withoutSecrets(payload), null, 2)}</pre></div></section>
${error !== null && html`<section class="section"><h2>Last error</h2><div class="scroll" tabindex="0"><pre class="error-text">${error}</pre></div></section>`}
<p><a href="${LIST}">All background jobs</a></p>`
}
