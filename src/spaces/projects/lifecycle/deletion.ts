/**
 * Deletes projects, immediately or after the deletion delay (`INGOT_DELETION_DELAY`, from the premium tier on). Until then they are
 * archived, marked, and can be restored.
 */
import { transact } from '../../../platform/db/transact.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { badRequest } from '../../../platform/kernel/errors.ts'
import { type ProjectRow, projects } from '../queries.ts'
import { dayOf, isDeletionDelayed, lastDueDay } from './deletion_delay.ts'
import { removeProject } from './removal.ts'

/** Deletes a project, or marks it; marking is idempotent. */
export async function deleteProject(ctx: Context, project: ProjectRow): Promise<void> {
  if (!isDeletionDelayed(ctx)) return removeProject(ctx, project)
  if (project.marked_for_deletion_on === null) await mark(ctx, project, ctx.now)
}

/** Removes the mark and unarchives the project. @throws badRequest it is not marked */
export async function restoreProject(ctx: Context, project: ProjectRow): Promise<ProjectRow> {
  if (project.marked_for_deletion_on === null) throw badRequest('the project is not marked for deletion')
  await mark(ctx, project, null)
  return projects(ctx.db).where('projects.id', '=', project.id).executeTakeFirstOrThrow()
}

async function mark(ctx: Context, { id, marked_for_deletion_on }: ProjectRow, since: Date | null): Promise<void> {
  const { db, now, actor } = ctx
  await db
    .updateTable('projects')
    .set({ marked_for_deletion_on: since && dayOf(since), archived: since !== null, updated_at: now })
    .where('id', '=', id)
    .execute()
  const changes = { marked_for_deletion_on: { from: marked_for_deletion_on, to: since && dayOf(since) } }
  await recordEvent(ctx, { kind: 'project.updated', payload: { project_id: id, changes }, actorId: actor.user?.id, projectId: id })
}

/** Deletes the projects whose delay has passed, each in its own transaction. */
export async function removeMarkedProjects(deps: Deps): Promise<void> {
  const { db } = deps.database
  const due = lastDueDay(deps)
  const marked = await db.selectFrom('projects').select('id').where('marked_for_deletion_on', '<=', due).orderBy('id').execute()
  for (const { id } of marked)
    await transact(db, async tx => {
      // It may have been restored meanwhile, or another worker holds it.
      const project = await tx
        .selectFrom('projects')
        .select(['id', 'repository_storage'])
        .where('id', '=', id)
        .where('marked_for_deletion_on', '<=', due)
        .forUpdate()
        .executeTakeFirst()
      if (project) await removeProject(systemContext(deps, tx), project)
    })
}
