/** What is known of a rebase under way, and its end. */
import { type Continuation, type ContinuationHandler, noFollowUp } from '../../../code/ref_updates/continuations.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { MergeRequestRow } from '../queries.ts'

/** A rebase is taken for broken off when it has been under way for this long. In milliseconds. */
const PATIENCE = 60 * 60 * 1000

/** What follows the move of a source branch that was rebased. */
export interface RebaseContinuation extends Continuation {
  readonly kind: 'rebase'
  /** The source branch, in full. */
  readonly ref: string
  readonly merge_request_id: number
  /** The commits want no pipeline. */
  readonly skip_ci: boolean
}

/** Is a rebase under way? */
export const isRebasing = ({ rebase_requested_at: since }: Pick<MergeRequestRow, 'rebase_requested_at'>, now: Date): boolean =>
  since !== null && now.getTime() - Date.parse(since) < PATIENCE

/** No rebase is under way any more. `failure`: what people are told; null if there was none. */
export async function endRebase(db: Db, id: number, failure: string | null): Promise<void> {
  await db.updateTable('merge_requests').set({ rebase_requested_at: null, merge_error: failure }).where('id', '=', id).execute()
}

/** The rebase has ended with the move of the source branch. Where that was not made, who rebases says what has become of it. */
export const rebaseContinuation: ContinuationHandler<RebaseContinuation> = {
  async onApplied(db, _actorId, { merge_request_id }) {
    await endRebase(db, merge_request_id, null)
    return noFollowUp
  },
  onAborted: async () => {},
}
