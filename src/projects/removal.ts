/** Deleting a project: its row and all that hangs on it at once, its repository by the worker. */
import { recordEvent } from '../events/events.ts'
import type { Context } from '../kernel/context.ts'

export async function removeProject(ctx: Context, project: { id: number; repository_storage: string }): Promise<void> {
  const { db } = ctx
  // Bots live for one project only.
  await db
    .deleteFrom('users')
    .where('id', 'in', db.selectFrom('project_bots').select('user_id').where('project_id', '=', project.id))
    .execute()
  await db.deleteFrom('projects').where('id', '=', project.id).execute()
  await recordEvent(db, {
    kind: 'project.deleted',
    payload: { project_id: project.id, repository_storage: project.repository_storage },
    actorId: ctx.actor.user?.id,
  })
}
