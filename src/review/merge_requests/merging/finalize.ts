/**
 * The outcome of a merge, in the transaction that records the move of the target branch. A merge request stays locked as long as the
 * journal entry of its merge exists. Finishing the entry, in the request or by the reconciler after a crash, releases the lock.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Continuation, type ContinuationHandler, type FollowUp, noFollowUp } from '../../../code/ref_updates/continuations.ts'
import { insertNotes } from '../../../collaboration/notes/writing/write.ts'
import { finishTodos } from '../../../collaboration/todos/write.ts'
import { recordResourceEvents } from '../../../planning/resource_events/write.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { transact } from '../../../platform/db/transact.ts'
import { recordEvents } from '../../../platform/events/events.ts'
import type { ObjectId } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { movesOf } from '../../../platform/kernel/declaration/machine.ts'
import { mergeRequestMachine } from '../states.ts'

/** Continuation of the move of a target branch by a merge. */
export interface MergeContinuation extends Continuation {
  readonly kind: 'merge'
  /** Full name of the target branch. */
  readonly ref: string
  readonly merge_request_id: number
  /** The new tip of the target branch. */
  readonly merged_commit_sha: ObjectId
  /** The merge commit with two parents; null if the method makes none. */
  readonly merge_commit_sha: ObjectId | null
  readonly squash_commit_sha: ObjectId | null
}

/** The states from which a merge request can be locked, and the locked state. */
const [[locked, lockable]] = [...movesOf(mergeRequestMachine, 'lock')] as [['locked', string[]]]
const [[merged, mergeable]] = [...movesOf(mergeRequestMachine, 'merge')] as [['merged', string[]]]
const [[released, releasable]] = [...movesOf(mergeRequestMachine, 'unlock')] as [['opened', string[]]]

/** Statement that locks a merge request for a merge, so that no other request can merge, close or change it. No row if it is not open. */
export const lockedForMerge = (id: number): RawBuilder<object> =>
  sql`(update merge_requests set state = ${locked} where id = ${id} and state = any(${lockable}) returning id)`

/** The commits made by a merge. */
export type MergeCommits = Pick<MergeContinuation, 'merged_commit_sha' | 'merge_commit_sha' | 'squash_commit_sha'>

/** Marks the merge request as merged by the user who moved the target branch, or releases it if the branch was not moved. */
export const mergeContinuation: ContinuationHandler<MergeContinuation> = {
  onApplied: (db, actorId, { merge_request_id, merged_commit_sha, merge_commit_sha, squash_commit_sha }, now) =>
    markMergedIn(db, actorId, merge_request_id, { merged_commit_sha, merge_commit_sha, squash_commit_sha }, now),
  onAborted: (db, { merge_request_id }) => releaseMerge(db, merge_request_id),
}

/** Marks a merge request as merged whose commits a push brought into the target branch; in a transaction of its own. */
export const markMerged = ({ db, actor, now }: Context, id: number, commits: MergeCommits): Promise<void> =>
  transact(db, async tx => {
    const { events, record } = await markMergedIn(tx, actor.user?.id, id, commits, now)
    await Promise.all([record(), recordEvents(tx, events)])
  })

async function markMergedIn(
  db: Db,
  actorId: number | undefined,
  id: number,
  commits: MergeCommits,
  now: Date,
): Promise<FollowUp<'merge_request.merged'>> {
  const key = { merge_request_id: id }
  const row = await db
    .updateTable('merge_requests')
    .set({ ...commits, state: merged, merged_at: now, merged_by_id: actorId ?? null, merge_error: null, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', anyOf(mergeable as 'opened'[]))
    .returning('project_id')
    .executeTakeFirst()
  if (!row) return noFollowUp
  const record = () =>
    Promise.all([
      recordResourceEvents(
        db,
        { ...key, user_id: actorId ?? null, created_at: now, state: merged },
        { state: { from: 'opened', to: merged } },
      ),
      ...(actorId === undefined
        ? []
        : [
            insertNotes(db, [{ ...key, author_id: actorId, action: 'state', body: 'merged', created_at: now }]),
            finishTodos(db, actorId, key, now),
          ]),
    ])
  return { events: [{ kind: 'merge_request.merged', payload: key, actorId, projectId: row.project_id }], record }
}

/** Releases a merge request whose merge failed. */
async function releaseMerge(db: Db, id: number): Promise<void> {
  await db
    .updateTable('merge_requests')
    .set({ state: released })
    .where('id', '=', id)
    .where('state', '=', anyOf(releasable as 'locked'[]))
    .execute()
}
