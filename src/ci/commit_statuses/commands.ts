/** Reporting statuses of commits. */

import { branchRights } from '../../code/protected_branches/rights.ts'
import { tagRights } from '../../code/protected_tags/rights.ts'
import type { CommitRow } from '../../code/repository/commits/entity.ts'
import { refused } from '../../code/repository/refusals.ts'
import type { Db } from '../../platform/db/connection.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { refsContaining } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
import { nextIid } from '../../spaces/places/iids.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { noteReported } from '../jobs/commands.ts'
import { insertExternalStatus } from '../jobs/insert.ts'
import { moveJob } from '../jobs/transitions/move.ts'
import { processJobs } from '../pipeline_processing/process.ts'
import { insertPipeline } from '../pipelines/commands.ts'
import { isOfMergeRequest, rightsOnRefOf } from '../pipelines/rights/ref_rights.ts'
import type { JobEvent, JobStatus } from '../states.ts'
import { type StatusRow, statusById } from './queries.ts'

/** A status as an external system reports it. */
export interface Report {
  readonly state: ReportedState
  readonly ref?: string | undefined
  readonly name?: string | undefined
  /** An alias of `name`. */
  readonly context?: string | undefined
  readonly target_url?: string | undefined
  readonly description?: string | undefined
  /** In percent. */
  readonly coverage?: number | undefined
  readonly pipeline_id?: number | undefined
}

/** The stage of reported statuses, behind all others. */
const stage = { stage: 'external', stage_position: 1_000_000 }

/** The transition to each reported status, and the states from which it is impossible. */
const moves = {
  pending: { event: 'enqueue', word: 'enqueue', never: ['pending', 'running'] },
  running: { event: 'run', word: 'run', never: ['running'] },
  success: { event: 'succeed', word: 'success', never: [] },
  failed: { event: 'drop', word: 'drop', never: [] },
  canceled: { event: 'cancel', word: 'cancel', never: [] },
} as const satisfies Record<string, { event: JobEvent; word: string; never: readonly JobStatus[] }>

export type ReportedState = keyof typeof moves
export const reportedStates = Object.keys(moves) as [ReportedState, ...ReportedState[]]

/**
 * Stores a reported status of a commit in its newest pipeline, or in a new one of source `external`. A report updates the unfinished
 * status of the same name; if there is none, it replaces the last one of that name. The pipeline's status follows in the same transaction.
 * @throws Refusal 400 for an impossible transition; 403 if the branch or tag is protected against the actor
 */
export async function reportStatus(
  ctx: Context,
  project: ProjectWithRole,
  { commit, repository }: Pick<CommitRow, 'commit' | 'repository'>,
  report: Report,
): Promise<StatusRow> {
  const { db, now } = ctx
  const wanted = report.ref?.replace(/^refs\/(heads|tags)\//, '') || undefined
  const pipeline = await newestPipeline(db, project.id, commit.id, wanted, report.pipeline_id)
  const ref = pipeline?.ref ?? wanted ?? (await refsContaining(repository, commit.id, ['branch']))[0]?.name
  // No reference was given, and no branch contains the commit.
  if (ref === undefined) throw notFound('References for commit')
  const rights = await rightsOn(ctx, project, { ref, tag: pipeline?.tag ?? false })
  if (!rights.may) throw forbidden()
  if (pipeline && isOfMergeRequest(pipeline.ref)) {
    const { refusal } = await rightsOnRefOf(ctx, project, pipeline)
    if (refusal !== undefined) throw forbidden(refusal)
  }
  const pipelineId = pipeline?.id ?? (await startExternal(ctx, project, commit, { ref, isProtected: rights.isProtected }))
  // Reports of one pipeline are serialized.
  await db.selectFrom('pipelines').select('id').where('id', '=', pipelineId).forNoKeyUpdate().execute()
  const name = report.name || report.context || 'default'
  const { event, word, never } = moves[report.state]
  const alive = await statusUnderWay(db, pipelineId, name)
  if (alive && (never as readonly JobStatus[]).includes(alive.status))
    throw refused(`Cannot transition status via :${word} from :${alive.status} (Reason(s): Status cannot transition via "${word}")`)
  const said = {
    ...(report.target_url !== undefined && { target_url: report.target_url }),
    ...(report.description !== undefined && { description: report.description }),
    ...(report.coverage !== undefined && { coverage: report.coverage }),
  }
  const id = alive?.id ?? (await insertExternalStatus(ctx, { project_id: project.id, pipeline_id: pipelineId, name, ...stage }))
  if (Object.keys(said).length > 0) await noteReported(db, id, said, now)
  await moveJob(ctx, id, event, report.state === 'failed' ? { failure_reason: 'api_failure' } : {})
  await processJobs(ctx, pipelineId)
  return (await statusById(db, id)) as StatusRow
}

/** The newest pipeline of a commit that is not a child pipeline. */
function newestPipeline(db: Db, projectId: number, sha: string, ref: string | undefined, id: number | undefined) {
  let query = db
    .selectFrom('pipelines')
    .select(['id', 'ref', 'tag', 'merge_request_id'])
    .where('project_id', '=', projectId)
    .where('sha', '=', sha)
    .where('parent_id', 'is', null)
  if (ref !== undefined) query = query.where('ref', '=', ref)
  if (id !== undefined) query = query.where('id', '=', id)
  return query.orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/**
 * May the actor report on this reference, and is it protected?
 * Contract: on a protected branch users who may push or merge, on a protected tag users who may create it (public behaviour at 14.0).
 */
async function rightsOn(ctx: Context, project: ProjectWithRole, { ref, tag }: { readonly ref: string; readonly tag: boolean }) {
  const rights = tag ? await tagRights(ctx, project) : await branchRights(ctx, project)
  return { may: 'mayCreate' in rights ? rights.mayCreate(ref) : rights.mayMerge(ref), isProtected: rights.isProtected(ref) }
}

/** Creates a pipeline for statuses of a commit that has none. */
async function startExternal(
  { db, actor, now }: Context,
  project: ProjectWithRole,
  commit: CommitRow['commit'],
  { ref, isProtected }: { readonly ref: string; readonly isProtected: boolean },
): Promise<number> {
  const id = await insertPipeline(db, {
    project_id: project.id,
    iid: await nextIid(db, { project_id: project.id }, 'pipeline'),
    user_id: actor.user?.id ?? null,
    ref,
    sha: commit.id,
    source: 'external',
    protected: isProtected,
    stages: [stage.stage],
    committed_at: commit.committer.date,
    created_at: now,
    updated_at: now,
  })
  await recordEvent(db, {
    kind: 'pipeline.updated',
    payload: { pipeline_id: id, status: 'created' },
    actorId: actor.user?.id,
    projectId: project.id,
  })
  return id
}

/** The unfinished reported status of this name. */
const statusUnderWay = (db: Db, pipelineId: number, name: string) =>
  db
    .selectFrom('jobs')
    .select(['id', 'status'])
    .where('pipeline_id', '=', pipelineId)
    .where('kind', '=', 'external')
    .where('name', '=', name)
    .where('retried', '=', false)
    .where('status', 'in', ['pending', 'running'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
