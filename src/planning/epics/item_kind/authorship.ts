/** Epics of users who are deleted. */
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { removeEpic } from '../commands.ts'

/** Reassigns all epics of a user to another one, the ghost user. */
export async function reassignEpics(db: Db, fromId: number, toId: number): Promise<void> {
  await db.updateTable('epics').set({ author_id: toId }).where('author_id', '=', fromId).execute()
}

/** Deletes all epics of a user. */
export async function removeEpicsOf(ctx: Context, userId: number): Promise<void> {
  const written = await ctx.db.selectFrom('epics').select(['id', 'iid', 'title', 'namespace_id']).where('author_id', '=', userId).execute()
  for (const epic of written) await removeEpic(ctx, epic)
}
