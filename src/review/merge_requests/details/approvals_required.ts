/** The number of approvals that a merge request itself requires. */
import type { Db } from '../../../platform/db/connection.ts'
import type { MergeRequestRow } from '../queries.ts'

/** Stores the number; `effectiveApprovals` computes the one that counts. */
export async function setApprovalsRequired(db: Db, id: number, approvals_before_merge: number): Promise<void> {
  await db.updateTable('merge_requests').set({ approvals_before_merge }).where('id', '=', id).execute()
}

/** Contract: the merge request's number counts only above the project's, and only where the project requires approvals (document 3). */
export const effectiveApprovals = ({ approvals_before_merge: own }: Pick<MergeRequestRow, 'approvals_before_merge'>, ofProject: number) =>
  ofProject > 0 && own !== null && own > ofProject ? own : ofProject
