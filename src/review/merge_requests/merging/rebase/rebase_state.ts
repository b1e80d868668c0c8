/** The state of a rebase in progress, and its end. */
import { type Continuation, type ContinuationHandler, noFollowUp } from '../../../../code/ref_updates/continuations.ts'
import type { Db } from '../../../../platform/db/connection.ts'
import type { MergeRequestRow } from '../../queries.ts'

/** A rebase in progress for longer than this counts as interrupted. In milliseconds. */
const PATIENCE = 60 * 60 * 1000

/** Continuation of the move of a rebased source branch, in journals that earlier versions left behind. */
export interface RebaseContinuation extends Continuation {
  readonly kind: 'rebase'
  /** Full name of the source branch. */
  readonly ref: string
  readonly merge_request_id: number
  /** Create no pipeline for the rebased commits. */
  readonly skip_ci: boolean
}

/** Is a rebase in progress? */
export const isRebasing = ({ rebase_requested_at: since }: Pick<MergeRequestRow, 'rebase_requested_at'>, now: Date): boolean =>
  since !== null && now.getTime() - Date.parse(since) < PATIENCE

/** Ends the rebase in progress. `failure`: the error for users; null if it succeeded. */
export async function endRebase(db: Db, id: number, failure: string | null): Promise<void> {
  await db.updateTable('merge_requests').set({ rebase_requested_at: null, merge_error: failure }).where('id', '=', id).execute()
}

/** Ends a rebase that an earlier version began. Now the background job ends it, once the merge request has the new version. */
export const rebaseContinuation: ContinuationHandler<RebaseContinuation> = {
  async onApplied(db, _actorId, { merge_request_id }) {
    await endRebase(db, merge_request_id, null)
    return noFollowUp
  },
  onAborted: async () => {},
}
