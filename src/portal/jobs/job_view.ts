/** The page of a job but for its log: head and facts. Pure. */

import { reportTypes } from '../../ci/artifacts/types.ts'
import type { ArtifactRow } from '../../ci/jobs/entities/artifacts.ts'
import { durationOf, queuedDurationOf } from '../../ci/jobs/entities/durations.ts'
import type { JobRow } from '../../ci/jobs/queries.ts'
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import type { RunnersFor } from '../../ci/runner_protocol/assignment/pending_reason.ts'
import type { DeploymentRow } from '../../delivery/deployments/queries.ts'
import type { Commit } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { bytesText, durationText } from '../../platform/pages/components/numbers.ts'
import { countdown, time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { deploymentChip } from '../environments/deployment_view.ts'
import { environmentPath } from '../environments/scope.ts'
import { jobButtons } from '../pipelines/jobs_view.ts'
import { commitView, refView } from '../pipelines/list_view.ts'
import { pipelinePath } from '../pipelines/scope.ts'
import { pipelineChip, statusChip, statusIcon } from '../pipelines/status_view.ts'
import { commitPage } from '../repository/addresses.ts'
import { failureWords } from './failure_words.ts'
import { jobPath } from './scope.ts'
import { type TriggerFacts, triggerView } from './trigger_facts.ts'

export interface JobView {
  readonly ctx: Pick<Context, 'actor' | 'deps' | 'now'>
  readonly project: { readonly full_path: string }
  readonly job: JobRow
  readonly pipeline: PipelineRow
  readonly commit: Commit | undefined
  readonly user: { readonly name: string; readonly username: string } | undefined
  readonly runner: { readonly id: number; readonly description: string | null } | undefined
  /** Of a pending job. */
  readonly runners: RunnersFor | undefined
  /** The address of the project's runners, for those who manage them. */
  readonly runnersPage: string | undefined
  /** What it left, as far as the caller may read it; undefined where that is withheld. */
  readonly artifacts: readonly ArtifactRow[] | undefined
  /** The other jobs of its stage. */
  readonly stage: readonly { readonly id: number; readonly name: string; readonly status: string; readonly allow_failure: boolean }[]
  /** The pipeline that a bridge started, where the caller sees it. */
  readonly started: PipelineRow | undefined
  /** The group of the resource that it waits for, and the job that has it. */
  readonly resource: { readonly key: string; readonly holder: { readonly id: number; readonly name: string } | undefined } | undefined
  /** What its pipeline was triggered by. */
  readonly trigger: TriggerFacts | undefined
  /** What it deploys, or has deployed, for callers who see that. */
  readonly deployment: DeploymentRow | undefined
  readonly mayUpdate: boolean
  /** Why the caller may not run it although their role is enough. */
  readonly closed: string | undefined
  readonly mayErase: boolean
  /** May the caller run it, and give it variables of its own? */
  readonly mayGiveVariables: boolean
}

/** Can the job be started with variables: does it wait for that, or was it started so before? A bridge starts once. */
const isPlayable = ({ when, status, kind }: JobRow): boolean =>
  (when === 'manual' || when === 'delayed') &&
  (status === 'manual' || status === 'scheduled' || (kind === 'build' && ['success', 'failed', 'canceled'].includes(status)))

export function jobHead({
  ctx,
  project,
  job,
  pipeline,
  commit,
  user,
  mayUpdate,
  mayErase,
  mayGiveVariables,
  started,
  closed,
}: JobView): Html {
  const { name, status, allow_failure, erased_at, started_at, created_at } = job
  const isEnded = ['success', 'failed', 'canceled'].includes(status)
  return html`<div class="heading"><h1>${name} <span class="muted light">#${job.id}</span></h1><div class="row">${mayUpdate && jobButtons(ctx, project, job, closed)}${mayGiveVariables && isPlayable(job) && html`<a class="btn btn-sm" href="${jobPath(project, job, '/run')}">Run with variables</a>`}${mayErase && isEnded && erased_at === null && job.trace_size > 0 && actionButton(ctx, { to: jobPath(project, job, '/erase'), face: html`${icon('trash')} Erase`, label: 'Erase the log and the artifacts', asks: 'Erase the log and the artifacts of this job?' })}</div></div>
<div class="row facts item-facts">${statusChip(status, allow_failure)}${allow_failure && chip('May fail')}<span>of pipeline <a href="${pipelinePath(project, pipeline)}">#${pipeline.id}</a> for ${refView(project, pipeline)}</span>${commitView(project, pipeline.sha, commit)}${user && html`<span>for <a href="/${user.username}">${user.name}</a></span>`}<span>${started_at === null ? html`made ${time(created_at)}` : html`started ${time(started_at)}`}</span>${started && pipelineChip(started)}</div>`
}

/** What a reader must know before the log. */
export function jobNotices({ ctx, project, job, runners, runnersPage, resource }: JobView): Html {
  const { status, failure_reason, erased_at, scheduled_at } = job
  return html`${status === 'failed' && failure_reason !== null && notice('danger', html`It failed: ${failureWords(failure_reason)}.`)}${status === 'pending' && runners && notice('attention', html`${pendingText(job, runners, ctx.now)} ${runnersPage !== undefined && html`<a href="${runnersPage}">See the runners</a>`}`)}${status === 'manual' && notice('plain', 'It waits until a person runs it.')}${status === 'scheduled' && scheduled_at !== null && notice('plain', html`It starts by itself: ${countdown(scheduled_at)}.`)}${status === 'created' && notice('plain', 'It waits for the jobs before it.')}${status === 'waiting_for_resource' && notice('plain', html`It waits for the resource of its group${resource && html` <span class="mono">${resource.key}</span>`}, ${resource?.holder ? html`which <a href="${jobPath(project, resource.holder)}">${resource.holder.name} #${resource.holder.id}</a> has.` : 'which another job has.'}`)}${erased_at !== null && notice('plain', html`Its log and artifacts were erased ${time(erased_at)}.`)}`
}

const notice = (tone: 'danger' | 'attention' | 'plain', says: string | Html): Html =>
  html`<div class="notice ${tone}">${icon(tone === 'danger' ? 'alert' : 'info')}<span>${says}</span></div>`

/** Milliseconds without a request after which a runner may have ended: one that runs asks, or sends logs, every minute. */
const SILENT = 3 * 60_000

/** Why a job is pending: the first of the conditions that no runner meets. */
export function pendingText(
  { tags }: Pick<JobRow, 'tags'>,
  { mayRun, serving, suiting, active, online, contactedAt }: RunnersFor,
  now: Date,
): string | Html {
  if (!mayRun) return 'The project runs no jobs: CI/CD is off, or it is archived.'
  if (serving === 0) return 'No runner serves the project. Register one, or allow those of the group or the instance.'
  if (suiting === 0)
    return tags.length > 0
      ? html`No runner takes it: it asks for the tags ${tags.map(tag => html`${chip(tag, 'plain', 'tag')} `)}`
      : 'No runner takes it: those that serve the project take only jobs with tags, or of protected branches.'
  if (active === 0) return 'The runners that could take it are paused.'
  if (online === 0) return 'The runners that could take it have not been heard of lately.'
  const waits = online === 1 ? 'It waits for the runner that can take it' : `It waits for one of ${online} runners that can take it`
  return contactedAt === null || now.getTime() - Date.parse(contactedAt) < SILENT
    ? `${waits}.`
    : html`${waits}, but ${online === 1 ? 'it has not been heard of' : 'none of them has been heard of'} since ${time(contactedAt)}. Is it still started?`
}

export function jobSide({
  ctx,
  project,
  job,
  commit,
  pipeline,
  runner,
  runnersPage,
  artifacts,
  stage,
  mayUpdate,
  trigger,
  deployment,
}: JobView): Html {
  const { coverage, timeout, tags, environment, environment_id, artifacts_expire_at } = job
  const [duration, queued] = [durationOf(job, ctx.now), queuedDurationOf(job, ctx.now)]
  const fact = (label: string, value: string | Html | undefined) => value !== undefined && html`<dt>${label}</dt><dd>${value}</dd>`
  return html`<dl class="facts-list">${fact('Ran', duration === null ? undefined : durationText(duration))}${fact('Waited', queued === null ? undefined : durationText(queued))}${fact('At most', timeout === null ? undefined : durationText(timeout))}${fact('Runner', runner && (runnersPage === undefined ? html`#${runner.id} ${runner.description ?? ''}` : html`<a href="${runnersPage}/${runner.id}">#${runner.id} ${runner.description ?? ''}</a>`))}${fact('Tags', tags.length === 0 ? undefined : html`${tags.map(tag => chip(tag))}`)}${fact('Environment', environment === null ? undefined : environment_id === null ? environment : html`<a href="${environmentPath(project, { id: environment_id })}">${environment}</a>`)}${fact('Deployment', deployment && html`<a href="${environmentPath(project, { id: deployment.environment_id }, `/deployments/${deployment.id}`)}">#${deployment.iid}</a> ${deploymentChip(deployment.status)}`)}${fact('Coverage', coverage === null ? undefined : `${coverage} %`)}${fact('Commit', commit && html`<a href="${commitPage(project, pipeline.sha)}">${commit.title}</a>`)}</dl>
${trigger && triggerView(trigger)}
${artifacts?.some(({ file_type }) => file_type !== 'trace') && html`<section class="section"><h2>Artifacts</h2>${artifactsView(ctx, project, job, artifacts, mayUpdate)}${artifacts_expire_at !== null && html`<p class="small muted">They are deleted ${time(artifacts_expire_at)}.</p>`}</section>`}
${stage.length > 1 && html`<section class="section"><h2>Stage ${job.stage}</h2><ul class="plain-list">${stage.map(other => html`<li class="row">${statusIcon(other.status, other.allow_failure)} <a href="${jobPath(project, other)}"${other.id === job.id && html` aria-current="page"`}>${other.name}</a></li>`)}</ul></section>`}`
}

function artifactsView(
  ctx: JobView['ctx'],
  project: JobView['project'],
  job: JobRow,
  artifacts: readonly ArtifactRow[],
  mayUpdate: boolean,
): Html {
  const archive = artifacts.find(({ file_type }) => file_type === 'archive')
  const others = artifacts.filter(({ file_type }) => reportTypes.some(type => type === file_type))
  return html`${archive && html`<div class="row"><a class="btn btn-sm" href="${jobPath(project, job, '/artifacts/browse')}">Browse</a><a class="btn btn-sm" href="${jobPath(project, job, '/artifacts/download')}" data-turbo="false" download>${icon('download')} ${bytesText(archive.size)}</a>${mayUpdate && job.artifacts_expire_at !== null && actionButton(ctx, { to: jobPath(project, job, '/artifacts/keep'), face: 'Keep', label: 'Keep the artifacts' })}</div>`}${others.length > 0 && html`<ul class="plain-list small" aria-label="Reports">${others.map(({ file_type, size, filename }) => html`<li><a href="${jobPath(project, job, `/artifacts/download?file_type=${file_type}`)}" data-turbo="false" download title="${filename}">${icon('download')} ${file_type.replaceAll('_', ' ')}</a> <span class="muted">${bytesText(size)}</span></li>`)}</ul>`}`
}
