/** The jobs of all projects, newest first. */
import { jobsOfInstance } from '../../../ci/jobs/lists/instance.ts'
import type { JobRow } from '../../../ci/jobs/queries.ts'
import { type JobStatus, jobMachine } from '../../../ci/states.ts'
import { OneOf, optional } from '../../../platform/kernel/declaration/types.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { filterBar, given } from '../../../platform/pages/forms/filter_bar.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { lookOf } from '../../pipelines/status_view.ts'
import { adminPlace } from '../place.ts'
import { inAdministration } from '../scope.ts'
import { placedJobs } from './placed_jobs.ts'

const LIST = '/admin/jobs'

const statuses = jobMachine.states

export const showJobsOfInstance = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show the jobs of all projects',
  scope: inAdministration,
  can: 'admin_instance',
  params: { ...listParams, status: optional(OneOf(['', ...statuses], { description: 'Only jobs with this status' })) },
  async run(ctx) {
    const status = given(ctx.params).status as JobStatus | undefined
    const found = await listPage<JobRow>(ctx, jobsOfInstance(ctx.db, status), ctx.params)
    return page(ctx, {
      title: 'Jobs',
      place: adminPlace('jobs', ctx),
      body: html`${filterBar(LIST, [{ name: 'status', label: 'Status', value: status, choices: statuses.map(status => [status, lookOf(status).word] as const), any: 'All' }])}
${found.rows.length > 0 ? html`${await placedJobs(ctx, found.rows)}${found.links}` : empty({ icon: 'checklist', title: 'No jobs', says: 'Jobs are the parts of pipelines: none is like this.' })}`,
    })
  },
})
