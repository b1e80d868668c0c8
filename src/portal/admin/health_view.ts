/** Views of the queue and of the machine. */

import type { FailedJob, TaskState } from '../../platform/events/queue_state.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { bytesText, durationText } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { Health } from './health.ts'

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
    : html`<div class="scroll" tabindex="0"><table class="data"><thead><tr><th scope="col">Task</th><th scope="col">Waiting</th><th scope="col">Running</th><th scope="col">Later</th><th scope="col">Failing</th><th scope="col">Given up</th><th scope="col">Waiting since</th></tr></thead><tbody>${tasks.map(
        task =>
          html`<tr><th scope="row">${task.task}</th><td>${task.waiting}</td><td>${task.running}</td><td>${task.later}</td><td>${task.failing}</td><td>${task.given_up}</td><td>${task.waiting_since === null ? '–' : time(task.waiting_since)}</td></tr>`,
      )}</tbody></table></div>`

/** The jobs that failed, with what went wrong and what can be done about it. */
export const failedTable = (ctx: Pick<Context, 'actor' | 'deps'>, jobs: readonly FailedJob[]): Html =>
  html`<ul class="list">${jobs.map(job => failedItem(ctx, job))}</ul>`

function failedItem(ctx: Pick<Context, 'actor' | 'deps'>, { id, task, attempts, max_attempts, run_at, error }: FailedJob): Html {
  const [first = '', ...rest] = error.split('\n')
  const to = `/admin/background_jobs/${id}`
  return html`<li><div class="main"><div class="title">${task} ${attempts >= max_attempts ? chip('given up', 'danger') : chip('failing', 'attention')}</div><div class="mono error-text">${first}</div>
${rest.length > 0 && html`<details class="small"><summary>Where it came from</summary><div class="scroll" tabindex="0"><pre>${rest.join('\n')}</pre></div></details>`}
<div class="facts"><span>Job ${id}</span><span>${attempts} of ${max_attempts} attempts</span>${attempts < max_attempts && html`<span>Next: ${time(run_at)}</span>`}</div></div>
<div class="row">${actionButton(ctx, { to: `${to}/retry`, face: 'Retry', label: `Retry job ${id}` })}${actionButton(ctx, { to: `${to}/delete`, face: 'Delete', look: 'danger', label: `Delete job ${id}`, asks: `Delete job ${id}? What it would have done is not done.` })}</div></li>`
}

/** Facts as pairs. */
export const healthList = (health: Health, versions: Readonly<Record<string, string>>): Html => html`<dl class="facts-list">
${Object.entries(versions).map(([name, version]) => html`<dt>${name}</dt><dd>${version}</dd>`)}
<dt>PostgreSQL</dt><dd>${health.postgres}</dd>
<dt>Running for</dt><dd>${durationText(health.uptime)}</dd>
<dt>Memory of this process</dt><dd>${bytesText(health.memory)}</dd>
<dt>Database</dt><dd>${bytesText(health.database)}</dd>
<dt>Disk</dt><dd>${bytesText(health.disk.free)} free of ${bytesText(health.disk.total)}</dd>
</dl>`
