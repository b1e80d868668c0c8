/**
 * Finding out whether a merge request can be merged, in the background (document 3 `merge_status`). What is found holds for the
 * two commits that were looked at: if a branch has moved meanwhile it is forgotten, and whoever moved the branch has asked anew.
 */
import { sql } from 'kysely'
import { anyOf } from '../../../platform/db/any.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { asyncCommit, transact } from '../../../platform/db/transact.ts'
import { enqueue, enqueueJobs, type Job } from '../../../platform/events/worker.ts'
import { checkMerge } from '../../../platform/git/writing/merges.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { mergeCheckMachine } from '../states.ts'
import { type Branches, type Tips, tipsOf } from './tips.ts'

/** Times that a check which fails, for instance on a corrupt repository, is tried. */
const MOST_ATTEMPTS = 5

/** Most merge requests that are checked because the branch they are for has moved: the others are when somebody asks for them. */
const MOST_OF_A_BRANCH = 100

type CheckEvent = keyof typeof mergeCheckMachine.events

/** Is it to be found out whether this one can be merged? */
export const isUnchecked = ({ state, merge_status }: { readonly state: string; readonly merge_status: string }): boolean =>
  state === 'opened' && (merge_status === 'unchecked' || merge_status === 'cannot_be_merged_recheck')

/** That a merge request is checked; several wishes before it is make one check. */
export const checkOf = (id: number): Job => ({
  task: 'check_mergeability',
  payload: { merge_request_id: id },
  options: { jobKey: `check_mergeability:${id}`, keepsTime: true, maxAttempts: MOST_ATTEMPTS },
})

/** Has a merge request checked soon. */
export const askForCheck = (db: Db, id: number): Promise<void> => enqueueJobs(db, [checkOf(id)])

/** Has the merge requests of a page checked soon, by one statement however many there are. */
export const askForPageCheck = (db: Db, ids: readonly number[]): Promise<void> =>
  enqueue(db, 'check_merge_requests', { merge_request_ids: [...ids] })

/** Has each of these checked. */
export async function askForChecks({ database }: Deps, { merge_request_ids }: { merge_request_ids: readonly number[] }): Promise<void> {
  await enqueueJobs(database.db, merge_request_ids.map(checkOf))
}

/** Has the merge requests for a branch checked soon. */
export const askForChecksOf = (db: Db, projectId: number, branch: string): Promise<void> =>
  enqueue(
    db,
    'check_target_branch',
    { project_id: projectId, branch },
    { jobKey: `check_target_branch:${projectId}:${branch}`, maxAttempts: MOST_ATTEMPTS },
  )

/** Checks one merge request, if that is still to be done. Rejects when git cannot say; it counts as unchecked then. */
export async function checkMergeability(deps: Deps, { merge_request_id: id }: { merge_request_id: number }): Promise<void> {
  const { db } = deps.database
  // Another check that was broken off has left it as it is.
  const row = await move(db, id, 'check', [...leaving('check'), 'checking'])
  if (!row) return
  const home = { id: row.project_id, repository_storage: row.repository_storage }
  try {
    const tips = await tipsOf({ db, deps }, row, home)
    const verdict = await verdictOf(tips, row)
    const after = await tipsOf({ db, deps }, row, home)
    // A verdict is on what is being checked; on anything else it comes too late.
    if (tips.start === after.start && tips.head === after.head) await move(db, id, verdict, ['checking'])
    else
      await transact(db, async tx => {
        await move(tx, id, 'outdate')
        await askForCheck(tx, id)
      })
  } catch (error) {
    await move(db, id, 'outdate')
    throw error
  }
}

/** Checks the merge requests for a branch, those first that were touched last. */
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

/** The states that an event leads from. */
const leaving = (event: CheckEvent): CheckStatus[] => Object.keys(mergeCheckMachine.events[event]) as CheckStatus[]

/** Where an event leads from each status of the check, as SQL; others stay as they are. */
export const movedBy = (event: CheckEvent) =>
  sql<CheckStatus>`case merge_status ${sql.join(
    Object.entries(mergeCheckMachine.events[event]).map(([from, to]) => sql`when ${from} then ${to}`),
    sql` `,
  )} else merge_status end`

/**
 * Moves the check of an open merge request from one of these states, and answers the row as it is then; undefined where it is in none of
 * them. Nobody waits for the disk: the end of the job, which comes after it in the log, cannot be there without it.
 */
const move = (db: Db, id: number, event: CheckEvent, from = leaving(event)) =>
  db
    .updateTable('merge_requests')
    .set({ merge_status: movedBy(event) })
    .where('id', '=', id)
    .where('state', '=', 'opened')
    .where('merge_status', '=', anyOf(from))
    .returning(['project_id', 'source_project_id', 'source_branch', 'target_branch', 'head_sha'])
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
  // What a fork has brought here; what it has moved on to will be brought, and checked then.
  const source = row.source_project_id === row.project_id ? head : head && row.head_sha
  if (!target || start === undefined || !source) return 'clash'
  const { kind } = await checkMerge(target, { target: start, source })
  return kind === 'clean' ? 'fit' : 'clash'
}
