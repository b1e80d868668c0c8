/** How many approvals a merge request asks for by itself. */
import type { Db } from '../../platform/db/connection.ts'
import type { MergeRequestRow } from './queries.ts'

/** Sets the number; what comes of it is `effectiveApprovals`. */
export async function setApprovalsRequired(db: Db, id: number, approvals_before_merge: number): Promise<void> {
  await db.updateTable('merge_requests').set({ approvals_before_merge }).where('id', '=', id).execute()
}

/** Contract: a number of its own counts only above the project's, and only where the project asks for approvals at all (document 3). */
export const effectiveApprovals = ({ approvals_before_merge: own }: Pick<MergeRequestRow, 'approvals_before_merge'>, ofProject: number) =>
  ofProject > 0 && own !== null && own > ofProject ? own : ofProject
