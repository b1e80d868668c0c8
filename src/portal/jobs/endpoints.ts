/** The pages of jobs: the list of a project, and of each its log and its facts. */
import { isDotenvWithheld, isWithheld } from '../../ci/artifacts/scope.ts'
import { commitAt, commitsAt } from '../../ci/commits.ts'
import { listProjectJobs } from '../../ci/jobs/endpoints.ts'
import { artifactsOfJobs } from '../../ci/jobs/entities/artifacts.ts'
import { jobsOfProject } from '../../ci/jobs/lists/lists.ts'
import { shownJobsOf } from '../../ci/jobs/lists/shown.ts'
import type { JobRow } from '../../ci/jobs/queries.ts'
import { type PipelineRow, pipelinesById } from '../../ci/pipelines/queries.ts'
import { maySetVariables } from '../../ci/pipelines/rights/ref_rights.ts'
import { queuesOf, resourceGroupById } from '../../ci/resource_groups/queries.ts'
import { runnersFor } from '../../ci/runner_protocol/assignment/pending_reason.ts'
import { runnersById } from '../../ci/runners/queries.ts'
import { alive, completed, type JobStatus } from '../../ci/states.ts'
import { requireDebugAccess } from '../../ci/traces/access.ts'
import { type JobLog, logOf } from '../../ci/traces/log.ts'
import { noteWatching } from '../../ci/traces/watching.ts'
import { deploymentOfJob } from '../../delivery/deployments/queries.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { integer, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { readAs } from '../../platform/pages/answers.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page, part, redirect } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { freezeNotice } from '../freeze_periods/notice.ts'
import { filterField } from '../items/list_frame.ts'
import { assertNoWords, filteredAddress, foundOrWrong, sentParams, unreadable } from '../items/listing.ts'
import { jobTopicOf, pipelineTopicOf } from '../pipelines/live.ts'
import { startedBy } from '../pipelines/queries.ts'
import { closedJobs } from '../pipelines/runnable.ts'
import { pipelinePath } from '../pipelines/scope.ts'
import { runnersPath } from '../runners/scope.ts'
import { type JobView, jobHead, jobNotices, jobSide } from './job_view.ts'
import { jobFilterKeys, jobList } from './list_view.ts'
import { earlierFrame, foundIn, framedPart, shownLog, type WantedLog } from './log/shown.ts'
import { inJobOrBridgePage, JOB, jobPath } from './scope.ts'
import { triggerFactsOf } from './trigger_facts.ts'

const states = {
  all: { label: 'All', scope: [] },
  pending: { label: 'Waiting', scope: alive.filter(status => status !== 'running') },
  running: { label: 'Running', scope: ['running'] },
  finished: { label: 'Finished', scope: completed },
} satisfies Readonly<Record<string, { readonly label: string; readonly scope: readonly JobStatus[] }>>

export const showJobs = pageEndpoint({
  route: 'GET /:project_path/-/jobs',
  summary: 'Show the jobs of a project',
  scope: inProjectPage,
  can: 'read_job',
  params: {
    ...listParams,
    state: OneOf(['all', 'pending', 'running', 'finished'], { description: 'Those of this state', default: 'all' }),
    filter: optional(text('The text of the filter bar', { maxLength: 2_000 })),
  },
  async run(ctx) {
    const { db, project, params, request, actor } = ctx
    const base = projectPath(project, '/-/jobs')
    const sent = sentParams(request.address)
    const asked = filteredAddress(base, jobFilterKeys, sent)
    if (asked !== undefined) return redirect(asked)
    const { found, wrong } = await foundOrWrong(async () => {
      assertNoWords(sent)
      const { scope = [] } = readAs(ctx, listProjectJobs, sent.scope ? { scope: sent.scope.split(',') } : {}) as {
        readonly scope?: readonly JobStatus[]
      }
      return listPage(ctx, jobsOfProject(db, project.id, scope.length > 0 ? scope : states[params.state].scope), params)
    })
    const rows = found?.rows ?? []
    const pipelines = await pipelinesById(db, idsOf(rows, 'pipeline_id'))
    const body =
      rows.length > 0
        ? html`${jobList(ctx, project, rows, pipelines)}${found?.links}`
        : wrong !== undefined
          ? unreadable('checklist')
          : empty({ icon: 'checklist', title: 'No jobs', says: 'Jobs are the parts of a pipeline: none is like this.' })
    const isCurrent = (key: string) => sent.scope === undefined && key === params.state
    return page(ctx, {
      title: 'Jobs',
      place: projectPlace(actor, project, 'pipelines'),
      heading: 'own',
      scripts: ['lists.js'],
      ...(wrong !== undefined && { status: 422 }),
      body: html`<div class="heading"><h1>Jobs</h1></div>
<nav class="subnav" aria-label="State">${Object.entries(states).map(([key, { label }]) => html`<a href="${key === 'all' ? base : `${base}?state=${key}`}"${isCurrent(key) && html` aria-current="page"`}>${label}</a>`)}</nav>
${filterField({ base, keys: jobFilterKeys, params: sent, wrong, example: 'status:failed status:canceled' })}${body}`,
    })
  },
})

type Caller = Context & { readonly project: ProjectWithRole; readonly job: JobRow }

/** What the page shows but for the log. */
async function viewOf(ctx: Caller, pipeline: PipelineRow, may: (ability: Ability) => boolean): Promise<JobView> {
  const { db, project, job, now } = ctx
  const [users, commits, runners, artifacts, withheld, ofPipeline, runnersOf, trigger, deployment] = await Promise.all([
    usersById(db, idsOf([job], 'user_id')),
    commitsAt(ctx, [pipeline]),
    runnersById(db, idsOf([job], 'runner_id')),
    artifactsOfJobs(db, [job.id]),
    isWithheld(ctx, project, job),
    shownJobsOf(db, pipeline.id, MOST_BESIDE).where('stage_position', '=', job.stage_position).execute(),
    job.status === 'pending' ? runnersFor(db, job.id, now) : undefined,
    triggerFactsOf(ctx, project, pipeline),
    job.environment_id !== null && may('read_deployment') ? deploymentOfJob(db, job.id) : undefined,
  ])
  const withoutDotenv = isDotenvWithheld(ctx, project)
  const closed = may('update_job') ? (await closedJobs(ctx, project, pipeline, [job]))(job) : undefined
  const started =
    job.kind === 'bridge'
      ? await startedBy(
          ctx,
          ofPipeline.filter(({ id }) => id === job.id),
        )
      : undefined
  return {
    ctx,
    project,
    job,
    pipeline,
    commit: commitAt(commits, pipeline),
    user: job.user_id === null ? undefined : users.get(job.user_id),
    runner: job.runner_id === null ? undefined : runners.get(job.runner_id),
    runners: runnersOf,
    runnersPage: may('admin_project_runners') ? runnersPath({ project }) : undefined,
    artifacts: withheld ? undefined : (artifacts.get(job.id) ?? []).filter(({ file_type }) => file_type !== 'dotenv' || !withoutDotenv),
    stage: ofPipeline.filter(({ kind }) => kind !== 'external'),
    started: started?.get(job.id),
    resource: job.status === 'waiting_for_resource' ? await resourceOf(ctx) : undefined,
    trigger,
    deployment,
    mayUpdate: may('update_job'),
    closed,
    mayErase: may('erase_job'),
    mayGiveVariables: may('update_job') && closed === undefined && maySetVariables(ctx, project),
  }
}

/** The resource that the job waits for, and the job that has it. */
async function resourceOf({ db, job }: Caller): Promise<JobView['resource']> {
  const group = job.resource_group_id === null ? undefined : await resourceGroupById(db, job.resource_group_id)
  return group && { key: group.key, holder: (await queuesOf(db, [group.id], 1)).get(group.id)?.holder }
}

/** Jobs of the same stage that are listed beside a job. */
const MOST_BESIDE = 100

export const showJob = pageEndpoint({
  route: `GET ${JOB}`,
  summary: 'Show a job with its log',
  scope: inJobOrBridgePage,
  can: 'read_job',
  params: {
    part: optional(integer('The part of the log to show, from 0', { minimum: 0, maximum: 1_000_000 })),
    from: optional(integer('The part from which the log is shown to its end', { minimum: 0, maximum: 1_000_000 })),
    line: optional(integer('A line in the part to show', { minimum: 1, maximum: 1_000_000_000 })),
    search: optional(text('Show the lines of the log that have this text', { maxLength: 200 })),
  },
  async run(ctx) {
    const { db, project, job, isOwn, params, request, actor } = ctx
    const address = jobPath(project, job)
    const frame = request.headers['turbo-frame']
    const log = await readableLog(ctx)
    if (typeof frame === 'string' && params.part !== undefined && log !== undefined && !(log instanceof Refusal))
      return part(await framedPart(log, params.part, frame === earlierFrame(params.part) ? frame : `log-after-${params.part}`, address))
    const pipeline = (await pipelinesById(db, [job.pipeline_id])).get(job.pipeline_id) as PipelineRow
    const may = (ability: Ability) => allows(actor, ability, { ...projectSubject(project), own: isOwn }) === 'yes'
    const view = await viewOf(ctx, pipeline, may)
    const deploys = job.environment !== null && job.kind === 'build' && !completed.includes(job.status)
    const [topic, ofPipeline] = [jobTopicOf(job), pipelineTopicOf(pipeline)]
    const shown = log instanceof Refusal ? undefined : log && (await shownLog(log, params as WantedLog, address))
    // What was found stays as it is while the page follows its job.
    const found =
      params.search &&
      shown &&
      !(log instanceof Refusal) &&
      log &&
      !('x-live-refresh' in request.headers) &&
      (await searched(ctx, log, params.search, address))
    return page(ctx, {
      title: `${job.name} (#${job.id})`,
      place: projectPlace(actor, project, 'pipelines'),
      heading: 'own',
      live: [topic, ofPipeline],
      scripts: ['pipelines.js'],
      body: html`${livePart('job-head', topic, jobHead(view))}
<div class="columns item"><div>${livePart('job-notices', topic, html`${deploys && (await freezeNotice(ctx, project))}${jobNotices(view)}`)}${found}${livePart('job-log', topic, logView(ctx, address, log, shown), undefined, 'quiet')}</div><aside aria-label="About the job">${livePart('job-side', ofPipeline, jobSide(view))}</aside></div>`,
    })
  },
})

/** What a search finds. All of the log is read for it, so it takes a slot for expensive work. @throws Refusal 429 or 503 */
async function searched({ deps, actor, request }: Context, log: JobLog, text: string, address: string): Promise<Html> {
  const release = await deps.limiter.enter('heavy', { actor, ...request })
  try {
    return await foundIn(log, text, address)
  } finally {
    release?.()
  }
}

/** The log as far as the caller may read it; a refusal where all variables show in it. */
async function readableLog(ctx: Caller) {
  const { project, job, now } = ctx
  if (job.kind === 'bridge') return undefined
  try {
    await requireDebugAccess(ctx, project, job)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  // Also before it runs: its runner is then asked for short pauses from the beginning.
  if (alive.includes(job.status)) noteWatching(job.id, now)
  return logOf(ctx, job)
}

function logView(
  { project, job, params }: Caller & { readonly params: { readonly search?: string | undefined } },
  address: string,
  log: Awaited<ReturnType<typeof readableLog>>,
  shown: Awaited<ReturnType<typeof shownLog>> | undefined,
): Html {
  if (log instanceof Refusal) return html`<p class="notice">The log shows all variables: it is for Developers.</p>`
  if (!shown) {
    const says =
      job.kind === 'bridge'
        ? 'It starts another pipeline, and writes no log.'
        : job.status === 'running'
          ? 'It has written nothing yet.'
          : job.status === 'skipped'
            ? html`It was skipped: a job before it did not succeed. <a href="${pipelinePath(project, { id: job.pipeline_id }, '/failures')}">See what failed</a>`
            : job.status === 'manual' || alive.includes(job.status)
              ? 'Its log appears here once it runs.'
              : job.status === 'canceled' && job.started_at === null
                ? 'It was canceled before it ran: there is no log.'
                : 'There is no log.'
    return html`<p class="muted">${says}</p>`
  }
  // A log that grows is fetched from the part on that is shown first.
  const isFollowed = job.status === 'running' && shown.isEnd
  const { search = '' } = params
  const refresh = `${address}?from=${shown.first}${search && `&search=${encodeURIComponent(search)}`}`
  return html`<section class="panel" aria-label="Log"><header class="row apart"><h2 class="small">Log</h2><div class="row"><form class="row" role="search" action="${address}"><label class="sr-only" for="log-search">Search the log</label><input class="form-control input-sm" type="search" id="log-search" name="search" value="${search}" placeholder="Search the log" maxlength="200" required><button class="btn btn-sm">Search</button><label class="row small"><input type="checkbox" class="log-wraps" checked> Wrap lines</label></form><a class="btn btn-sm" href="${address}/raw" data-turbo="false">Raw</a><a class="btn btn-sm" href="#log-end">To the end</a></div></header><job-log class="log"${isFollowed && html` data-follows data-refresh-from="${refresh}"`}><line-range>${shown.view}</line-range>${isFollowed && html`<p class="log-waiting muted" role="status">The job is running; what it writes is added here.</p>`}<span id="log-end"></span></job-log></section>`
}
