/** Issues of users who are deleted. */
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { removeIssue } from '../commands.ts'

/** Reassigns all issues of a user to another one, the ghost user. */
export async function reassignIssues(db: Db, fromId: number, toId: number): Promise<void> {
  await db.updateTable('issues').set({ author_id: toId }).where('author_id', '=', fromId).execute()
}

/** Deletes all issues of a user. */
export async function removeIssuesOf(ctx: Context, userId: number): Promise<void> {
  const written = await ctx.db.selectFrom('issues').select(['id', 'iid', 'project_id']).where('author_id', '=', userId).execute()
  for (const issue of written) await removeIssue(ctx, issue)
}
