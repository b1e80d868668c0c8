/**
 * The merge check: finds out in the background whether a merge request can be merged (document 3 `merge_status`). A result is valid
 * for the two commits that were compared. If a branch has moved meanwhile it is dropped; the move has scheduled another check.
 */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/connection.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { asyncCommit, transact } from '../../../../platform/db/transact.ts'
import { recordEvent } from '../../../../platform/events/events.ts'
import { enqueue, enqueueJobs, type Job } from '../../../../platform/events/worker.ts'
import { checkMerge } from '../../../../platform/git/index.ts'
import type { Deps } from '../../../../platform/kernel/context.ts'
import { mergeCheckMachine } from '../../states.ts'
import { refreshCodeOwners } from '../../versions/code_owners.ts'
import { type Branches, type Tips, tipsOf } from '../tips.ts'

/** Attempts for a check that fails, for instance on a corrupt repository. */
const MOST_ATTEMPTS = 5

/** Upper bound of the merge requests that are checked when their target branch moves; the others are checked when they are read. */
const MOST_OF_A_BRANCH = 100

type CheckEvent = keyof typeof mergeCheckMachine.events

/** Does the merge request need a check? */
export const isUnchecked = ({ state, merge_status }: { readonly state: string; readonly merge_status: string }): boolean =>
  state === 'opened' && (merge_status === 'unchecked' || merge_status === 'cannot_be_merged_recheck')

/** The job that checks a merge request; repeated requests before it runs share one job. */
export const checkOf = (id: number): Job => ({
  task: 'check_mergeability',
  payload: { merge_request_id: id },
  options: { jobKey: `check_mergeability:${id}`, keepsTime: true, maxAttempts: MOST_ATTEMPTS },
})

/** Schedules a check of a merge request. */
export const requestCheck = (db: Db, id: number): Promise<void> => enqueueJobs(db, [checkOf(id)])

/** Schedules checks of a page of merge requests, by one statement. */
export const requestPageChecks = (db: Db, ids: readonly number[]): Promise<void> =>
  enqueue(db, 'check_merge_requests', { merge_request_ids: [...ids] })

/** Schedules a check of each of these. */
export async function requestChecks({ database }: Deps, { merge_request_ids }: { merge_request_ids: readonly number[] }): Promise<void> {
  await enqueueJobs(database.db, merge_request_ids.map(checkOf))
}

/** Schedules checks of the merge requests into a branch. */
export const requestChecksOfBranch = (db: Db, projectId: number, branch: string): Promise<void> =>
  enqueue(
    db,
    'check_target_branch',
    { project_id: projectId, branch },
    { jobKey: `check_target_branch:${projectId}:${branch}`, maxAttempts: MOST_ATTEMPTS },
  )

/** Checks one merge request, if it still needs a check. Rejects when git fails; the merge request then stays unchecked. */
export async function checkMergeability(deps: Deps, { merge_request_id: id }: { merge_request_id: number }): Promise<void> {
  const { db } = deps.database
  // Includes rows left in `checking` by an interrupted check.
  const row = await move(db, id, 'check', [...leaving('check'), 'checking'])
  if (!row) return
  const home = { id: row.project_id, repository_storage: row.repository_storage }
  try {
    const tips = await tipsOf({ db, deps }, row, home)
    const verdict = await verdictOf(tips, row)
    // The target branch may have another CODEOWNERS file now.
    if (tips.target && tips.start) await refreshCodeOwners(db, tips.target, tips.start, { ...row, id })
    const after = await tipsOf({ db, deps }, row, home)
    // The row takes a verdict only while it is in `checking`; otherwise the verdict is too late.
    if (tips.start === after.start && tips.head === after.head)
      await transact(db, async tx => {
        const settled = await move(tx, id, verdict, ['checking'])
        if (!settled || verdict !== 'clash') return
        const { project_id, head_sha } = settled
        await recordEvent(tx, { kind: 'merge_request.conflicted', payload: { merge_request_id: id, head_sha }, projectId: project_id })
      })
    else
      await transact(db, async tx => {
        await move(tx, id, 'outdate')
        await requestCheck(tx, id)
      })
  } catch (error) {
    await move(db, id, 'outdate')
    throw error
  }
}

/** Checks the merge requests into a branch, the most recently updated first. */
export async function checkTargetBranch(deps: Deps, { project_id, branch }: { project_id: number; branch: string }): Promise<void> {
  const rows = await deps.database.db
    .selectFrom('merge_requests')
    .select('id')
    .where('project_id', '=', project_id)
    .where('target_branch', '=', branch)
    .where('state', '=', 'opened')
    .where('merge_status', 'in', ['unchecked', 'cannot_be_merged_recheck'])
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_OF_A_BRANCH)
    .execute()
  for (const { id } of rows) await checkMergeability(deps, { merge_request_id: id })
}

type CheckStatus = keyof (typeof mergeCheckMachine.events)['clash'] | 'cannot_be_merged'

/** The states in which an event is possible. */
const leaving = (event: CheckEvent): CheckStatus[] => Object.keys(mergeCheckMachine.events[event]) as CheckStatus[]

/** The state after an event as an SQL expression; other states stay unchanged. */
export const movedBy = (event: CheckEvent) =>
  sql<CheckStatus>`case merge_status ${sql.join(
    Object.entries(mergeCheckMachine.events[event]).map(([from, to]) => sql`when ${from} then ${to}`),
    sql` `,
  )} else merge_status end`

/**
 * Moves the check of an open merge request out of one of these states and returns the new row, or undefined if it is in none of them.
 * Does not wait for the WAL flush: the end of the job is later in the WAL and cannot become durable without it.
 */
const move = (db: Db, id: number, event: CheckEvent, from = leaving(event)) =>
  db
    .updateTable('merge_requests')
    .set({ merge_status: movedBy(event) })
    .where('id', '=', id)
    .where('state', '=', 'opened')
    .where('merge_status', '=', anyOf(from))
    .returning(['project_id', 'source_project_id', 'source_branch', 'target_branch', 'head_sha', 'code_owners_file'])
    .returning(({ selectFrom }) => [
      selectFrom('projects')
        .select('repository_storage')
        .whereRef('projects.id', '=', 'merge_requests.project_id')
        .$asScalar()
        .$notNull()
        .as('repository_storage'),
      asyncCommit.as('ended'),
    ])
    .executeTakeFirst()

async function verdictOf({ target, start, head }: Tips, row: Branches & { readonly head_sha: string | null }): Promise<'fit' | 'clash'> {
  // For a fork, the last commit that was fetched. Later commits are fetched by the push, which schedules its own check.
  const source = row.source_project_id === row.project_id ? head : head && row.head_sha
  if (!target || start === undefined || !source) return 'clash'
  const { kind } = await checkMerge(target, { target: start, source })
  return kind === 'clean' ? 'fit' : 'clash'
}
