/** The queue of background jobs: what waits, what failed, and one of them looked into. */
import { deleteJob, failedJobById, jobById, jobStates, queuedJobs, queueState, retryJob } from '../../../platform/events/queue_state.ts'
import { inInstance, within } from '../../../platform/kernel/declaration/scope.ts'
import { integer, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { formEndpoint, pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { choicesOf, filterBar, given } from '../../../platform/pages/forms/filter_bar.ts'
import { done, page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { adminPlace } from '../place.ts'
import { administered, inAdministration } from '../scope.ts'
import { jobList, jobView, queueNotice, tasksTable } from './view.ts'

const LIST = '/admin/background_jobs'

export const showBackgroundJobs = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show the queue of background jobs',
  scope: inAdministration,
  can: 'admin_instance',
  params: {
    ...listParams,
    task: optional(text('Only jobs of this task', { maxLength: 255 })),
    state: optional(OneOf(['', ...jobStates], { description: 'Only jobs in this state; those that failed unless given' })),
  },
  async run(ctx) {
    const { task, state = 'failed' } = given(ctx.params) as { task?: string; state?: (typeof jobStates)[number] }
    const [tasks, found] = await Promise.all([queueState(ctx.db), listPage(ctx, queuedJobs(ctx.db, { task, state }), ctx.params)])
    return page(ctx, {
      title: 'Background jobs',
      place: adminPlace('queue', ctx),
      body: html`${queueNotice(tasks, ctx.now)}<section>${tasksTable(tasks)}</section>
<section class="section"><h2>Jobs</h2>${filterBar(LIST, [
        { name: 'state', label: 'State', value: state, choices: choicesOf(jobStates) },
        { name: 'task', label: 'Task', value: task, choices: tasks.map(each => [each.task, each.task] as const), any: 'All' },
      ])}
${jobList(ctx, found.rows)}${found.links}</section>`,
    })
  },
})

/** `:job_id` becomes a job of the queue, or 404. */
const inQueuedJob = administered(
  within(inInstance, {
    name: 'inQueuedJob',
    path: { job_id: integer('ID of a background job') },
    async load({ db }, { job_id }) {
      const job = await jobById(db, job_id)
      if (!job) throw notFound('Job')
      return { job }
    },
  }),
)

/** `:job_id` becomes a job that failed and does not run, or 404. */
const inFailedJob = administered(
  within(inInstance, {
    name: 'inFailedJob',
    path: { job_id: integer('ID of a background job') },
    async load({ db }, { job_id }) {
      const job = await failedJobById(db, job_id)
      if (!job) throw notFound('Job')
      return { job }
    },
  }),
)

export const showBackgroundJob = pageEndpoint({
  route: `GET ${LIST}/:job_id`,
  summary: 'Look into a background job',
  scope: inQueuedJob,
  can: 'admin_instance',
  run: ctx => page(ctx, { title: `Job ${ctx.job.id}`, place: adminPlace('queue', ctx), heading: 'own', body: jobView(ctx, ctx.job) }),
})

export const retryFailedJob = formEndpoint({
  route: `POST ${LIST}/:job_id/retry`,
  summary: 'Try a background job that failed again',
  scope: inFailedJob,
  can: 'admin_instance',
  async run(ctx) {
    await retryJob(ctx, ctx.job)
    return done(ctx, LIST, 'The job runs again.')
  },
})

export const deleteFailedJob = formEndpoint({
  route: `POST ${LIST}/:job_id/delete`,
  summary: 'Delete a background job that failed',
  scope: inFailedJob,
  can: 'admin_instance',
  async run(ctx) {
    await deleteJob(ctx, ctx.job)
    return done(ctx, LIST, 'The job was deleted.')
  },
})
