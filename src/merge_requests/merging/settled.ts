/**
 * What a merge leaves behind, in the transaction in which the moved target branch is recorded. A merge request is locked as long
 * as the intent of its merge is there; whoever settles the intent, the request itself or the reconciler after a crash, ends that.
 */
import { findActingUser } from '../../access/credentials.ts'
import type { Db } from '../../db/connection.ts'
import { transact } from '../../db/transact.ts'
import { recordEvent } from '../../events/events.ts'
import type { ObjectId } from '../../git/objects/oid.ts'
import { type Context, type Deps, outsideRequest } from '../../kernel/context.ts'
import { methodNotAllowed } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { insertNotes } from '../../notes/write.ts'
import { recordFacts } from '../../resource_events/write.ts'
import { finishTodos } from '../../todos/write.ts'
import { mergeRequestMachine } from '../states.ts'

/** That a branch moves because a merge request is merged into it. */
export interface MergePurpose {
  readonly kind: 'merge'
  /** The target branch, in full. */
  readonly ref: string
  readonly merge_request_id: number
  /** What the branch gets. */
  readonly merged_commit_sha: ObjectId
  /** The commit with two parents; null where there is none. */
  readonly merge_commit_sha: ObjectId | null
  readonly squash_commit_sha: ObjectId | null
}

const lockRow = (db: Db, id: number) =>
  db.selectFrom('merge_requests').select(['id', 'project_id', 'state', 'head_sha']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Keeps a merge request for a merge: nobody else may merge, close or change it. @throws Refusal 405 it is not open any more */
export async function lockForMerge(db: Db, id: number): Promise<void> {
  const row = await lockRow(db, id)
  const state = row && next(mergeRequestMachine, row.state, 'lock')
  if (state === undefined) throw methodNotAllowed()
  await db.updateTable('merge_requests').set({ state }).where('id', '=', id).execute()
}

/** The commits that a merge made. */
export type MergeCommits = Pick<MergePurpose, 'merged_commit_sha' | 'merge_commit_sha' | 'squash_commit_sha'>

/** Marks the merge request as merged by whoever moved the target branch. */
export async function settleMerge(deps: Deps, db: Db, actorId: number | undefined, purpose: MergePurpose): Promise<void> {
  const user = actorId === undefined ? undefined : await findActingUser(db, String(actorId))
  const { merge_request_id, merged_commit_sha, merge_commit_sha, squash_commit_sha } = purpose
  const ctx = outsideRequest(deps, db, { user, credential: undefined, sudoBy: undefined })
  await markMergedIn(ctx, merge_request_id, { merged_commit_sha, merge_commit_sha, squash_commit_sha })
}

/** The same for one whose commits have come into the target branch by themselves; in a transaction of its own. */
export const markMerged = ({ db, ...ctx }: Context, id: number, commits: MergeCommits): Promise<void> =>
  transact(db, tx => markMergedIn({ ...ctx, db: tx }, id, commits))

async function markMergedIn({ db, actor, now }: Context, id: number, commits: MergeCommits): Promise<void> {
  const row = await lockRow(db, id)
  const state = row && next(mergeRequestMachine, row.state, 'merge')
  if (state === undefined) return
  const actorId = actor.user?.id
  const key = { merge_request_id: id }
  await db
    .updateTable('merge_requests')
    .set({ ...commits, state, merged_at: now, merged_by_id: actorId ?? null, merge_error: null, updated_at: now })
    .where('id', '=', id)
    .execute()
  await recordEvent(db, { kind: 'merge_request.merged', payload: key, actorId, projectId: row!.project_id })
  await recordFacts(db, { ...key, user_id: actorId ?? null, created_at: now, state }, { state: { from: 'opened', to: state } })
  if (actorId === undefined) return
  await insertNotes(db, [{ ...key, author_id: actorId, action: 'state', body: 'merged', created_at: now }])
  await finishTodos(db, actorId, key, now)
}

/** Lets go of a merge request whose merge did not come about. */
export async function dropMerge(db: Db, { merge_request_id: id }: MergePurpose): Promise<void> {
  const row = await lockRow(db, id)
  const state = row && next(mergeRequestMachine, row.state, 'unlock')
  if (state !== undefined) await db.updateTable('merge_requests').set({ state }).where('id', '=', id).execute()
}
