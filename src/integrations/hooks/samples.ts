/** Payloads for tests of a project's hooks: from real objects of the project, as if an event had just occurred. */

import { sql } from 'kysely'
import { jobs } from '../../ci/jobs/queries.ts'
import { pipelines } from '../../ci/pipelines/queries.ts'
import { latestNoteOf } from '../../collaboration/notes/queries.ts'
import { pagesOf } from '../../collaboration/wikis/queries.ts'
import { wikiKeyOf } from '../../collaboration/wikis/repository.ts'
import { deploymentsOf } from '../../delivery/deployments/queries.ts'
import { latestFlagOf } from '../../delivery/feature_flags/queries.ts'
import { releasesOf } from '../../delivery/releases/queries.ts'
import { type UserRow, userById } from '../../identity/users/queries.ts'
import { issueById, issues } from '../../planning/issues/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { listTags, readCommit, readRefs, zeroId } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { unprocessable } from '../../platform/kernel/errors.ts'
import { mergeRequests } from '../../review/merge_requests/queries.ts'
import { type ProjectRow, projects } from '../../spaces/projects/queries.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { jobPayload } from './payloads/ci/job.ts'
import { pipelinePayload } from './payloads/ci/pipeline.ts'
import { deploymentPayload } from './payloads/delivery/deployment.ts'
import { featureFlagPayload } from './payloads/delivery/feature_flag.ts'
import { releasePayload } from './payloads/delivery/release.ts'
import { issuePayload } from './payloads/issue.ts'
import { mergeRequestPayload } from './payloads/merge_request.ts'
import { notePayload } from './payloads/note.ts'
import { pushPayload } from './payloads/push.ts'
import { wikiPagePayload } from './payloads/wiki_page.ts'
import type { Switch } from './switches.ts'

type Sampler = (ctx: Context, project: ProjectRow, user: UserRow | undefined) => Promise<object | undefined>

/** The switches that can be tested, and what each needs. */
const samplers: { readonly [S in Switch]?: Sampler } = {
  push_events: samplePush,
  tag_push_events: sampleTag,
  merge_requests_events: sampleMergeRequest,
  issues_events: (...given) => sampleIssue(...given, false),
  confidential_issues_events: (...given) => sampleIssue(...given, true),
  job_events: sampleJob,
  pipeline_events: samplePipeline,
  deployment_events: sampleDeployment,
  releases_events: sampleRelease,
  feature_flag_events: sampleFeatureFlag,
  wiki_page_events: sampleWikiPage,
  note_events: (...given) => sampleNote(...given, false),
  confidential_note_events: (...given) => sampleNote(...given, true),
}

/** Those of these switches whose trial can send something. */
export const withSamples = (names: readonly Switch[]): readonly Switch[] => names.filter(name => name in samplers)

/** The error message for a missing object. */
const needs: Readonly<Record<Switch, string>> = {
  push_events: 'commit',
  tag_push_events: 'tag',
  merge_requests_events: 'merge request',
  repository_update_events: 'commit',
  issues_events: 'issue',
  confidential_issues_events: 'confidential issue',
  note_events: 'comment',
  confidential_note_events: 'confidential comment',
  job_events: 'job',
  pipeline_events: 'pipeline',
  wiki_page_events: 'wiki page',
  deployment_events: 'deployment',
  releases_events: 'release',
  feature_flag_events: 'feature flag',
  subgroup_events: 'subgroup',
}

/** The payload to test a switch with; 422 if the project has no suitable object. */
export async function sampleFor(ctx: Context, project: ProjectRow, trigger: Switch): Promise<object> {
  const user = ctx.actor.user && (await userById(ctx.db, ctx.actor.user.id))
  const payload = await samplers[trigger]?.(ctx, project, user)
  if (!payload) throw unprocessable(`Ensure the project has at least one ${needs[trigger]}.`)
  return payload
}

/** The newest project of a group or below it, one with commits before all others: what trials of the group's hooks are made of. */
export const sampleProjectIn = (db: Db, groupId: number) =>
  projects(db)
    .where(sql<boolean>`namespaces.traversal_ids @> ${[groupId]}::bigint[]`)
    // An empty repository has no default branch.
    .orderBy(sql`projects.default_branch is null`)
    .orderBy('projects.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The newest commit of the default branch, as if it had just been pushed. */
async function samplePush(ctx: Context, project: ProjectRow, pusher: UserRow | undefined) {
  const repository = project.default_branch === null ? undefined : await findRepository(ctx.deps.storages, project)
  const ref = `refs/heads/${project.default_branch}`
  const [tip] = repository ? await readRefs(repository, [ref]) : []
  const commit = repository && tip !== undefined ? await readCommit(repository, tip) : undefined
  return commit && pushPayload(ctx, { project, pusher }, { ref, old: commit.parent_ids[0] ?? zeroId, new: commit.id })
}

/** The newest tag. */
async function sampleTag(ctx: Context, project: ProjectRow, pusher: UserRow | undefined) {
  const repository = await findRepository(ctx.deps.storages, project)
  const [tag] = repository ? await listTags(repository, { order: 'updated', sort: 'desc' }) : []
  return tag && pushPayload(ctx, { project, pusher }, { ref: `refs/tags/${tag.name}`, old: zeroId, new: tag.target })
}

/** The newest issue, as it is. */
async function sampleIssue(ctx: Context, project: ProjectRow, user: UserRow | undefined, confidential: boolean) {
  const issue = await issues(ctx.db, null)
    .where('issues.project_id', '=', project.id)
    .where('issues.confidential', '=', confidential)
    .orderBy('issues.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return issue && issuePayload(ctx, project, issue, user, { action: undefined, changes: {} })
}

/** The newest merge request, as it is. */
async function sampleMergeRequest(ctx: Context, project: ProjectRow, user: UserRow | undefined) {
  const newest = mergeRequests(ctx.db, null).where('merge_requests.project_id', '=', project.id).orderBy('merge_requests.id', 'desc')
  const mergeRequest = await newest.limit(1).executeTakeFirst()
  return mergeRequest && mergeRequestPayload(ctx, project, mergeRequest, user, { action: undefined, changes: {} })
}

/** The newest note on an issue, as it is. */
async function sampleNote(ctx: Context, project: ProjectRow, user: UserRow | undefined, confidential: boolean) {
  const note = await latestNoteOf(ctx.db, project.id, confidential)
  const issue = note && (await issueById(ctx.db, note.issue_id as number, null))
  return issue && notePayload(ctx, project, { issue }, note, user, undefined)
}

/** The newest deployment, as it is. */
async function sampleDeployment(ctx: Context, project: ProjectRow) {
  const newest = deploymentsOf(ctx.db, project.id, { order_by: 'id', sort: 'desc' })
  const deployment = await newest.limit(1).executeTakeFirst()
  return deployment && deploymentPayload(ctx, project, deployment, { status: deployment.status, at: deployment.updated_at })
}

/** The newest release, as if it had just been created. */
async function sampleRelease(ctx: Context, project: ProjectRow) {
  const release = await releasesOf(ctx.db, project.id, { order_by: 'created_at', sort: 'desc' }).limit(1).executeTakeFirst()
  return release && releasePayload(ctx, project, release, 'create')
}

/** The feature flag that was changed last, as it is. */
async function sampleFeatureFlag(ctx: Context, project: ProjectRow, user: UserRow | undefined) {
  const flag = await latestFlagOf(ctx.db, project.id)
  return flag && featureFlagPayload(ctx, project, flag, user)
}

/** The first page of the wiki, as if it had just been written. */
async function sampleWikiPage(ctx: Context, project: ProjectRow, user: UserRow | undefined) {
  const [page] = await pagesOf(ctx, wikiKeyOf({ project }))
  return page && wikiPagePayload(ctx, { project }, { ...page, wiki_page_id: 0, message: '' }, user, 'create')
}

/** The newest job, as it is. */
async function sampleJob(ctx: Context, project: ProjectRow) {
  const newest = jobs(ctx.db).where('jobs.project_id', '=', project.id).where('kind', '=', 'build').orderBy('jobs.id', 'desc')
  const job = await newest.limit(1).executeTakeFirst()
  return job && jobPayload(ctx, project, job)
}

/** The newest pipeline, as it is. */
async function samplePipeline(ctx: Context, project: ProjectRow) {
  const newest = pipelines(ctx.db).where('pipelines.project_id', '=', project.id).orderBy('pipelines.id', 'desc')
  const pipeline = await newest.limit(1).executeTakeFirst()
  return pipeline && pipelinePayload(ctx, project, pipeline)
}
