/** Updates open merge requests after branches have moved, in the background. */
import type { Static } from 'typebox'
import { anonymous } from '../../../../platform/access/actor.ts'
import { authorOf } from '../../../../platform/access/credentials/credentials.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import type { payloads } from '../../../../platform/events/worker.ts'
import {
  listCommitIds,
  listCommits,
  type ObjectId,
  type RefMove,
  type Repository,
  readRefs,
  resolveCommits,
  shortNameOf,
  zeroId,
} from '../../../../platform/git/index.ts'
import { type Context, type Deps, systemContext } from '../../../../platform/kernel/context.ts'
import { findRepository } from '../../../../spaces/projects/repository/store.ts'
import { pipelineForNewCommits } from '../../../merge_request_pipelines/commands.ts'
import { markMerged } from '../finalize.ts'
import { requestChecksOfBranch } from '../mergeability/check.ts'
import { branchRef } from '../tips.ts'
import { refreshMergeRequest } from './refresh.ts'
import { retarget } from './retarget.ts'

/** Upper bound of the commits of a push among which the heads of merge requests are searched. */
const MOST_COMMITS = 100_000

/** Upper bound of the first-parent commits of the target branch among which the merge commit is searched. */
const MOST_STEPS = 1_000

/** Processes the moves of a push on behalf of the user who pushed. Idempotent; a failure for one merge request does not stop the others. */
export async function processPush(deps: Deps, { project_id, actor_id, moves }: Static<(typeof payloads)['follow_push']>): Promise<void> {
  const { db } = deps.database
  // The push was accepted: its effects are recorded as its author's, whatever the state of the account is now.
  const ctx = systemContext(deps, db, (await authorOf(db, actor_id)) ?? anonymous)
  const project = await db.selectFrom('projects').select(['id', 'repository_storage']).where('id', '=', project_id).executeTakeFirst()
  const repository = project && (await findRepository(deps.storages, project))
  if (!repository) return
  const failures: unknown[] = []
  const attempt = (work: Promise<void>) => work.catch(error => void failures.push(error))

  for (const id of await openFrom(ctx, project_id, moves)) {
    await attempt(refreshMergeRequest(ctx, id))
    if (ctx.actor.user) await attempt(pipelineForNewCommits(ctx, id))
  }
  for (const move of moves) {
    const branch = shortNameOf(move.ref)?.name
    if (branch === undefined) continue
    if (move.old !== zeroId && move.new !== zeroId) await attempt(markContained(ctx, project_id, repository, branch, move))
    if (move.new === zeroId) await attempt(retarget(ctx, project_id, branch, move.old))
    await requestChecksOfBranch(db, project_id, branch)
  }
  if (failures.length > 0) throw failures[0]
}

/** Ids of the open merge requests from these branches. */
async function openFrom({ db }: Context, projectId: number, moves: readonly RefMove[]): Promise<number[]> {
  const rows = await db
    .selectFrom('merge_requests')
    .select('id')
    .where('source_project_id', '=', projectId)
    .where('source_branch', '=', anyOf(moves.map(({ ref }) => shortNameOf(ref)?.name ?? '')))
    .where('state', '=', 'opened')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Marks merge requests as merged whose heads a push has brought into the target branch. Two statements, three requests to git. */
async function markContained(ctx: Context, projectId: number, repository: Repository, branch: string, move: RefMove): Promise<void> {
  const open = await ctx.db
    .selectFrom('merge_requests')
    .select(['id', 'source_project_id', 'source_branch', 'head_sha'])
    .where('project_id', '=', projectId)
    .where('target_branch', '=', branch)
    .where('state', '=', 'opened')
    .orderBy('id')
    .execute()
  const brought = open.length === 0 ? new Set<ObjectId>() : await commitsBrought(repository, move)
  if (brought.size === 0) return
  // Current tips of branches of this project; for forks, the last fetched head counts.
  const ours = open.filter(row => row.source_project_id === projectId)
  const tips = await readRefs(
    repository,
    ours.map(row => branchRef(row.source_branch)),
  )
  const tipOf = new Map(ours.map((row, index) => [row.id, tips[index]]))
  for (const row of open) {
    const tip = row.source_project_id === projectId ? tipOf.get(row.id) : (row.head_sha ?? undefined)
    if (tip === undefined || !brought.has(tip)) continue
    await refreshMergeRequest(ctx, row.id)
    const mergeCommit = await mergeCommitOf(repository, move, tip)
    await markMerged(ctx, row.id, {
      merged_commit_sha: mergeCommit ?? tip,
      merge_commit_sha: mergeCommit ?? null,
      squash_commit_sha: null,
    })
  }
}

/** The commits that the branch gained, newest first. */
async function commitsBrought(repository: Repository, { old, new: target }: RefMove): Promise<Set<ObjectId>> {
  // Replaced history may have been garbage collected since.
  const [from, except] = await resolveCommits(repository, [target, old])
  if (from === undefined) return new Set()
  return new Set(await listCommitIds(repository, { from: [from], ...(except !== undefined && { except: [except] }), limit: MOST_COMMITS }))
}

/** The merge commit that brought `tip` into a branch; undefined if the branch was fast-forwarded to it. */
async function mergeCommitOf(repository: Repository, { old, new: target }: RefMove, tip: ObjectId): Promise<ObjectId | undefined> {
  const steps = await listCommits(repository, { from: [target], except: [old], firstParent: true, limit: MOST_STEPS })
  return steps.find(({ parent_ids }) => parent_ids.slice(1).includes(tip))?.id
}
