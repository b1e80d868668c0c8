/** The pages of the administration: the state of the instance, its groups and projects. */

import { deleteJob, failedJobById, failedJobs, queueState, retryJob } from '../../platform/events/queue_state.ts'
import { inInstance, within } from '../../platform/kernel/declaration/scope.ts'
import { integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { apiVersion, version } from '../../platform/system/version.ts'
import { groupsMatching } from '../../spaces/groups/queries.ts'
import { projectsMatching } from '../../spaces/projects/queries.ts'
import { groupList } from '../groups/list_view.ts'
import { projectList } from '../projects/list_view.ts'
import { healthOf, MOST_COUNTED } from './health.ts'
import { failedTable, healthList, queueNotice, tasksTable } from './health_view.ts'
import { adminPlace } from './place.ts'

/** Failed jobs that the page shows. */
const MOST_FAILED = 50

const filter = { ...listParams, search: optional(text('Part of the name or path', { maxLength: 255 })) }

export const showOverview = pageEndpoint({
  route: 'GET /admin',
  summary: 'Show the state of the instance',
  scope: inInstance,
  can: 'admin_instance',
  async run(ctx) {
    const [health, tasks] = await Promise.all([healthOf(ctx.db, ctx.deps.config), queueState(ctx.db)])
    const { users, groups, projects } = health.counts
    const links = [
      ['/admin/users', 'accounts', users],
      ['/admin/groups', 'groups', groups],
      ['/admin/projects', 'projects', projects],
    ] as const
    return page(ctx, {
      title: 'Administration',
      place: adminPlace('overview'),
      body: html`${queueNotice(tasks, ctx.now, true)}<div class="columns"><section><h2>The instance</h2>${healthList(health, { Ingot: version, 'API level': apiVersion(ctx.tier) })}</section>
<aside aria-label="What there is"><h2>What there is</h2><ul class="plain-list">${links.map(([href, noun, number]) => html`<li><a href="${href}">${number >= MOST_COUNTED ? `${MOST_COUNTED} or more` : number} ${noun}</a></li>`)}</ul></aside></div>`,
    })
  },
})

export const showBackgroundJobs = pageEndpoint({
  route: 'GET /admin/background_jobs',
  summary: 'Show the queue of background jobs',
  scope: inInstance,
  can: 'admin_instance',
  async run(ctx) {
    const [tasks, failed] = await Promise.all([queueState(ctx.db), failedJobs(ctx.db, MOST_FAILED)])
    return page(ctx, {
      title: 'Background jobs',
      place: adminPlace('jobs'),
      body: html`${queueNotice(tasks, ctx.now)}<section>${tasksTable(tasks)}</section>${failed.length > 0 && html`<section class="section"><h2>Jobs that failed</h2>${failedTable(ctx, failed)}</section>`}`,
    })
  },
})

/** `:job_id` becomes a job that failed and does not run, or 404. */
const inFailedJob = within(inInstance, {
  name: 'inFailedJob',
  path: { job_id: integer('ID of a background job') },
  async load({ db }, { job_id }) {
    const job = await failedJobById(db, job_id)
    if (!job) throw notFound('Job')
    return { job }
  },
})

const JOBS = '/admin/background_jobs'

export const retryFailedJob = formEndpoint({
  route: `POST ${JOBS}/:job_id/retry`,
  summary: 'Try a background job that failed again',
  scope: inFailedJob,
  can: 'admin_instance',
  async run(ctx) {
    await retryJob(ctx, ctx.job)
    return done(ctx, JOBS, 'The job runs again.')
  },
})

export const deleteFailedJob = formEndpoint({
  route: `POST ${JOBS}/:job_id/delete`,
  summary: 'Delete a background job that failed',
  scope: inFailedJob,
  can: 'admin_instance',
  async run(ctx) {
    await deleteJob(ctx, ctx.job)
    return done(ctx, JOBS, 'The job was deleted.')
  },
})

export const showSystemInfo = pageEndpoint({
  route: 'GET /admin/system_info',
  summary: 'Show versions, memory and disk',
  scope: inInstance,
  can: 'admin_instance',
  async run(ctx) {
    const health = await healthOf(ctx.db, ctx.deps.config)
    const versions = { Ingot: version, 'API level': apiVersion(ctx.tier), Node: process.version, Edition: ctx.tier }
    return page(ctx, { title: 'System', place: adminPlace('system'), body: healthList(health, versions) })
  },
})

export const showAllGroups = pageEndpoint({
  route: 'GET /admin/groups',
  summary: 'Show all groups',
  scope: inInstance,
  can: 'admin_instance',
  params: filter,
  async run(ctx) {
    const found = await listPage(ctx, groupsMatching(ctx.db, ctx.actor, { search: ctx.params.search, all_available: true }), ctx.params)
    return page(ctx, {
      title: 'Groups',
      place: adminPlace('groups'),
      body: html`${filterBar('/admin/groups', ctx.params.search)}${found.rows.length > 0 ? groupList(found.rows) : empty({ icon: 'organization', title: 'No groups', says: 'Groups of the instance appear here.' })}${found.links}`,
    })
  },
})

export const showAllProjects = pageEndpoint({
  route: 'GET /admin/projects',
  summary: 'Show all projects',
  scope: inInstance,
  can: 'admin_instance',
  params: filter,
  async run(ctx) {
    const query = projectsMatching(ctx.db, ctx.actor, { search: ctx.params.search, order_by: 'last_activity_at' })
    const found = await listPage(ctx, query, ctx.params)
    return page(ctx, {
      title: 'Projects',
      place: adminPlace('projects'),
      body: html`${filterBar('/admin/projects', ctx.params.search)}${found.rows.length > 0 ? projectList(found.rows) : empty({ icon: 'repo', title: 'No projects', says: 'Projects of the instance appear here.' })}${found.links}`,
    })
  },
})

const filterBar = (action: string, search: string | undefined) =>
  html`<form class="filter-bar" action="${action}"><label class="sr-only" for="search">Filter by name</label><input class="form-control" type="search" id="search" name="search" value="${search ?? ''}" placeholder="Filter by name"><button class="btn">Filter</button></form>`
