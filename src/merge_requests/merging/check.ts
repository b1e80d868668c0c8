/**
 * Finding out whether a merge request can be merged, in the background (document 3 `merge_status`). What is found holds for the
 * two commits that were looked at: if a branch has moved meanwhile it is forgotten, and whoever moved the branch has asked anew.
 */
import type { Db } from '../../db/connection.ts'
import { transact } from '../../db/transact.ts'
import { enqueue } from '../../events/worker.ts'
import { checkMerge } from '../../git/writing/merges.ts'
import type { Deps } from '../../kernel/context.ts'
import { next } from '../../kernel/machine.ts'
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

/** Has a merge request checked soon; several wishes before it is make one check. */
export const askForCheck = (db: Db, id: number): Promise<void> =>
  enqueue(db, 'check_mergeability', { merge_request_id: id }, { jobKey: `check_mergeability:${id}`, maxAttempts: MOST_ATTEMPTS })

/** Has the merge requests of a page checked soon, by one statement however many there are. */
export const askForPageCheck = (db: Db, ids: readonly number[]): Promise<void> =>
  enqueue(db, 'check_merge_requests', { merge_request_ids: [...ids] })

/** Has each of these checked. */
export async function askForChecks({ database }: Deps, { merge_request_ids }: { merge_request_ids: readonly number[] }): Promise<void> {
  for (const id of merge_request_ids) await askForCheck(database.db, id)
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
  const row = await transact(db, tx => step(tx, id, 'check'))
  // Another check that was broken off has left it as it is.
  if (row?.merge_status !== 'checking') return
  try {
    const tips = await tipsOf({ db, deps }, row)
    const verdict = await verdictOf(tips, row)
    const after = await tipsOf({ db, deps }, row)
    const isCurrent = tips.start === after.start && tips.head === after.head
    await transact(db, async tx => {
      await step(tx, id, isCurrent ? verdict : 'outdate')
      if (!isCurrent) await askForCheck(tx, id)
    })
  } catch (error) {
    await transact(db, tx => step(tx, id, 'outdate'))
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

/** Moves the check of an open merge request, and answers the row as it is then. */
async function step(db: Db, id: number, event: CheckEvent) {
  const row = await db
    .selectFrom('merge_requests')
    .select(['id', 'project_id', 'source_project_id', 'source_branch', 'target_branch', 'head_sha', 'merge_status', 'state'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row?.state !== 'opened') return undefined
  // A verdict is on what is being checked; on anything else it comes too late.
  const isLate = (event === 'fit' || event === 'clash') && row.merge_status !== 'checking'
  const status = isLate ? undefined : next(mergeCheckMachine, row.merge_status, event)
  if (status === undefined) return row
  await db.updateTable('merge_requests').set({ merge_status: status }).where('id', '=', id).execute()
  return { ...row, merge_status: status }
}

async function verdictOf({ target, start, head }: Tips, row: Branches & { readonly head_sha: string | null }): Promise<'fit' | 'clash'> {
  // What a fork has brought here; what it has moved on to will be brought, and checked then.
  const source = row.source_project_id === row.project_id ? head : head && row.head_sha
  if (!target || start === undefined || !source) return 'clash'
  const { kind } = await checkMerge(target, { target: start, source })
  return kind === 'clean' ? 'fit' : 'clash'
}
