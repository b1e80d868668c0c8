/** Deleting a project: its row and all that hangs on it at once, its repository by the worker. */
import { recordEvent } from '../events/events.ts'
import type { Context } from '../kernel/context.ts'
import { removeBot } from '../users/bots.ts'

/** Deletes a project with the bots of its access tokens, which live for it alone. */
export async function removeProject(ctx: Context, project: { id: number; repository_storage: string }): Promise<void> {
  const { db } = ctx
  const bots = await db.selectFrom('project_bots').select('user_id').where('project_id', '=', project.id).execute()
  for (const bot of bots) await removeBot(ctx, bot.user_id)
  await db.deleteFrom('projects').where('id', '=', project.id).execute()
  await recordEvent(db, {
    kind: 'project.deleted',
    payload: { project_id: project.id, repository_storage: project.repository_storage },
    // A bot that deletes its own project is gone with it.
    actorId: bots.some(bot => bot.user_id === ctx.actor.user?.id) ? undefined : ctx.actor.user?.id,
  })
}
