/** Merge requests of users who are deleted. */
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { removeMergeRequest } from '../changes/delete.ts'

/** Reassigns all merge requests of a user to another one, the ghost user. */
export async function reassignMergeRequests(db: Db, fromId: number, toId: number): Promise<void> {
  await db.updateTable('merge_requests').set({ author_id: toId }).where('author_id', '=', fromId).execute()
}

/** Deletes every merge request that a user wrote. */
export async function removeMergeRequestsOf(ctx: Context, userId: number): Promise<void> {
  const written = await ctx.db.selectFrom('merge_requests').select(['id', 'iid', 'project_id']).where('author_id', '=', userId).execute()
  for (const mergeRequest of written) await removeMergeRequest(ctx, mergeRequest)
}
