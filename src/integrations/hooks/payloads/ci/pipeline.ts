/** The payload of pipelines (webhook events, 14.0). */

import { commitAt, commitsAt } from '../../../../ci/commits.ts'
import { detailedStatusOf } from '../../../../ci/detailed_status.ts'
import { artifactsOfJobs } from '../../../../ci/jobs/entities/artifacts.ts'
import { durationOf, queuedDurationOf } from '../../../../ci/jobs/entities/durations.ts'
import { jobsOfPipeline } from '../../../../ci/jobs/lists/lists.ts'
import type { PipelineRow } from '../../../../ci/pipelines/queries.ts'
import { givenVariables } from '../../../../ci/run_variables/given.ts'
import { runnersById } from '../../../../ci/runners/queries.ts'
import { extendedUsersById, idsOf } from '../../../../identity/users/queries.ts'
import { anonymous } from '../../../../platform/access/actor.ts'
import { zeroId } from '../../../../platform/git/index.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { mergeRequestById, visibleMergeRequestsById } from '../../../../review/merge_requests/queries.ts'
import type { ProjectRow } from '../../../../spaces/projects/queries.ts'
import { commitPart } from '../commit.ts'
import { projectPart, userPart } from '../project.ts'
import { environmentPart, runnerPart } from './job.ts'

/** Contract: the times of this payload are written with spaces and the zone's name (webhook events). */
const spaced = (instant: string | null): string | null =>
  instant === null ? null : new Date(instant).toISOString().replace(/T(.*)\.\d+Z$/, ' $1 UTC')

/** The payload of a pipeline with a new status. */
export async function pipelinePayload(ctx: Context, project: ProjectRow, pipeline: PipelineRow): Promise<object> {
  const { db, deps } = ctx
  const variables = await givenVariables(db, deps, { pipelineId: pipeline.id })
  const commit = commitAt(await commitsAt(ctx, [pipeline]), pipeline)
  const builds = await buildsOf(ctx, pipeline)
  const user = pipeline.user_id === null ? undefined : (await extendedUsersById(db, [pipeline.user_id])).get(pipeline.user_id)
  const hasWarnings = builds.some(({ allow_failure, status }) => allow_failure && status === 'failed')
  return {
    object_kind: 'pipeline',
    object_attributes: {
      id: pipeline.id,
      iid: pipeline.iid,
      ref: pipeline.ref,
      tag: pipeline.tag,
      sha: pipeline.sha,
      before_sha: pipeline.before_sha ?? zeroId,
      source: pipeline.source,
      status: pipeline.status,
      detailed_status: detailedStatusOf(pipeline.status, { hasWarnings, path: '' }).label,
      stages: pipeline.stages,
      created_at: spaced(pipeline.created_at),
      finished_at: spaced(pipeline.finished_at),
      duration: pipeline.duration,
      queued_duration: pipeline.queued_duration,
      variables: variables.map(({ key, value }) => ({ key, value })),
    },
    merge_request: await mergeRequestPart(ctx, project, pipeline),
    user: userPart(user, ctx),
    project: projectPart(project, ctx),
    commit: commit ? commitPart(commit, project, ctx) : null,
    builds,
  }
}

/** The jobs of a pipeline without retried ones: four statements. */
async function buildsOf(ctx: Context, pipeline: PipelineRow) {
  const { db, now } = ctx
  const rows = await jobsOfPipeline(db, pipeline.id, {}).execute()
  const ids = rows.map(row => row.id)
  const users = await extendedUsersById(db, idsOf(rows, 'user_id'))
  const runners = await runnersById(db, idsOf(rows, 'runner_id'))
  const artifacts = await artifactsOfJobs(db, ids)
  return rows.map(row => {
    const runner = row.runner_id === null ? undefined : runners.get(row.runner_id)
    const archive = artifacts.get(row.id)?.find(({ file_type }) => file_type === 'archive')
    return {
      id: row.id,
      stage: row.stage,
      name: row.name,
      status: row.status,
      created_at: spaced(row.created_at),
      started_at: spaced(row.started_at),
      finished_at: spaced(row.finished_at),
      duration: durationOf(row, now),
      queued_duration: queuedDurationOf(row, now),
      when: row.when,
      manual: row.when === 'manual',
      allow_failure: row.allow_failure,
      user: userPart(row.user_id === null ? undefined : users.get(row.user_id), ctx),
      runner: runner ? runnerPart(runner) : null,
      artifacts_file: { filename: archive?.filename ?? null, size: archive?.size ?? null },
      environment: environmentPart(row),
    }
  })
}

/**
 * The merge request of a pipeline. That of a fork's pipeline is another project's: a hook has no reader whom one could look up, and those who
 * set it up in the fork need not see that project, so it is left out unless everyone may read it.
 */
async function mergeRequestPart({ db, url }: Context, project: ProjectRow, { merge_request_id }: PipelineRow) {
  const row = merge_request_id === null ? undefined : await mergeRequestById(db, merge_request_id, null)
  const isOpen = row && (row.project_id === project.id || (await visibleMergeRequestsById(db, anonymous, [row.id], null)).size > 0)
  return row && isOpen
    ? {
        id: row.id,
        iid: row.iid,
        title: row.title,
        source_branch: row.source_branch,
        source_project_id: row.source_project_id,
        target_branch: row.target_branch,
        target_project_id: row.project_id,
        state: row.state,
        merge_status: row.merge_status,
        url: `${url}/${row.project_path}/-/merge_requests/${row.iid}`,
      }
    : null
}
