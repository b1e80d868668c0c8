/** Deletes a project: its row and dependent rows immediately, its repository by the worker. */

import { removeBotsOf } from '../../../identity/users/bots.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { projectLifecycle } from './lifecycle.ts'
import { projectSnapshot } from './snapshot.ts'

/** Deletes a project with the bots of its access tokens. */
export async function removeProject(ctx: Context, project: { id: number; repository_storage: string }): Promise<void> {
  const { db } = ctx
  // First: what is being added below it ends before its bots are listed, and what comes later finds no project.
  await db.selectFrom('projects').select('id').where('id', '=', project.id).forUpdate().executeTakeFirstOrThrow()
  const was = await projectSnapshot(db, project.id)
  await projectLifecycle.value.onRemoval(ctx, project.id)
  const bots = await removeBotsOf(ctx, { namespaceIds: [], projectIds: [project.id] })
  await db.deleteFrom('projects').where('id', '=', project.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, {
    kind: 'project.deleted',
    payload: { project_id: project.id, repository_storage: project.repository_storage, was },
    // A bot that deletes its own project is deleted with it.
    actorId: ctx.actor.user && bots.includes(ctx.actor.user.id) ? undefined : ctx.actor.user?.id,
  })
}

/** Hides the projects of namespaces that are being deleted from all users, and returns their ids. */
export async function hideProjectsOf(db: Db, namespaceIds: readonly number[]): Promise<number[]> {
  const hidden = await db
    .updateTable('projects')
    .set({ deleting: true, visibility: 'private' })
    .where('namespace_id', '=', anyOf(namespaceIds))
    .returning('id')
    .execute()
  return hidden.map(project => project.id)
}
