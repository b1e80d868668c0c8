/** Reporting the status of a commit. */

import { branchRights } from '../../code/protected_branches/rights.ts'
import { tagRights } from '../../code/protected_tags/rights.ts'
import type { CommitRow } from '../../code/repository/commits/entity.ts'
import { refused } from '../../code/repository/refusals.ts'
import type { Db } from '../../platform/db/connection.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { refsContaining } from '../../platform/git/refs/list.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
import { nextIid } from '../../spaces/places/iids.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { noteReported } from '../jobs/commands.ts'
import { insertExternalStatus } from '../jobs/insert.ts'
import { moveJob } from '../jobs/transitions/move.ts'
import { processJobs } from '../pipeline_processing/process.ts'
import { insertPipeline } from '../pipelines/commands.ts'
import type { JobEvent, JobStatus } from '../states.ts'
import { type StatusRow, statusById } from './queries.ts'

/** What others say of a commit. */
export interface Report {
  readonly state: ReportedState
  readonly ref?: string | undefined
  readonly name?: string | undefined
  /** Another name of `name`. */
  readonly context?: string | undefined
  readonly target_url?: string | undefined
  readonly description?: string | undefined
  /** In percent. */
  readonly coverage?: number | undefined
  readonly pipeline_id?: number | undefined
}

/** The stage of what is reported, behind all others. */
const stage = { stage: 'external', stage_position: 1_000_000 }

/** How a status comes to what is reported, and the states from which it cannot. */
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
 * Keeps what is reported of a commit: as a status of its newest pipeline, or of a new one of source `external`. A report under a name
 * whose last status has not ended changes that one; any other one takes its place. The pipeline's status follows at once.
 * @throws Refusal 400 for a move that is impossible; 403 where the branch or tag is protected against the actor
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
  // Nobody names the reference, and no branch holds the commit.
  if (ref === undefined) throw notFound('References for commit')
  const rights = await rightsOn(ctx, project, { ref, tag: pipeline?.tag ?? false })
  if (!rights.may) throw forbidden()
  const pipelineId = pipeline?.id ?? (await startExternal(ctx, project, commit, { ref, isProtected: rights.isProtected }))
  // Reports of one pipeline are taken one after the other.
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

/** The newest pipeline of a commit, not one that another pipeline contains. */
function newestPipeline(db: Db, projectId: number, sha: string, ref: string | undefined, id: number | undefined) {
  let query = db
    .selectFrom('pipelines')
    .select(['id', 'ref', 'tag'])
    .where('project_id', '=', projectId)
    .where('sha', '=', sha)
    .where('parent_id', 'is', null)
  if (ref !== undefined) query = query.where('ref', '=', ref)
  if (id !== undefined) query = query.where('id', '=', id)
  return query.orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/**
 * May the actor report of this reference, and is it protected?
 * Contract: of a protected branch whoever may push or merge there, of a protected tag whoever may create it (public behaviour at 14.0).
 */
async function rightsOn(ctx: Context, project: ProjectWithRole, { ref, tag }: { readonly ref: string; readonly tag: boolean }) {
  const rights = tag ? await tagRights(ctx, project) : await branchRights(ctx, project)
  return { may: 'mayCreate' in rights ? rights.mayCreate(ref) : rights.mayMerge(ref), isProtected: rights.isProtected(ref) }
}

/** A pipeline for what others report of a commit that has none. */
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

/** The reported status of this name that has not ended. */
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
