/** Writes of the lists that limit what job tokens reach. */
import type { Db } from '../../platform/db/connection.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, notFound } from '../../platform/kernel/errors.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { type ProjectRow, projectsById, visibleProject } from '../../spaces/projects/queries.ts'
import type { Direction } from './queries.ts'

/** Maximum entries of one list (public behaviour). */
const MOST_LISTED = 200

/** The kind of list, as messages and the audit log name it. */
interface Listed {
  readonly type: 'Project' | 'Group'
  readonly id: number
  readonly name: string
  readonly direction: Direction
}

const record = (ctx: Context, kind: 'job_token_scope.added' | 'job_token_scope.removed', project: ProjectRow, payload: Listed) =>
  recordEvent(ctx, { kind, payload, actorId: ctx.actor.user?.id, projectId: project.id })

/** Locks the project's lists against concurrent additions, so that none exceeds its limit. */
const lockLists = (db: Db, { id }: ProjectRow) =>
  db.selectFrom('projects').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/**
 * Adds a project that the actor can see.
 * @throws Refusal 404 for one that the actor cannot see; 400 for one that is listed already
 */
export async function listProject(
  ctx: Context,
  project: ProjectRow,
  { target_project_id, direction }: { readonly target_project_id: number; readonly direction: Direction },
): Promise<{ readonly source_project_id: number; readonly target_project_id: number }> {
  const { db, actor, now } = ctx
  const target = await visibleProject(db, actor, String(target_project_id))
  if (!target) throw notFound('Target project')
  if (target.id === project.id) throw badRequest('Target project is already in the job token scope')
  await lockLists(db, project)
  const { count } = await db
    .selectFrom('job_token_scope_projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', project.id)
    .where('direction', '=', direction)
    .executeTakeFirstOrThrow()
  if (count >= MOST_LISTED) throw badRequest(`The job token scope has ${MOST_LISTED} projects at most`)
  const made = await db
    .insertInto('job_token_scope_projects')
    .values({ project_id: project.id, direction, target_project_id: target.id, added_by_id: actor.user?.id ?? null, created_at: now })
    .onConflict(on => on.doNothing())
    .returning('target_project_id')
    .executeTakeFirst()
  if (!made) throw badRequest('Target project is already in the job token scope')
  await record(ctx, 'job_token_scope.added', project, { type: 'Project', id: target.id, name: target.full_path, direction })
  return { source_project_id: project.id, target_project_id: target.id }
}

/** Removes a project from a list. @throws Refusal 404 for one that is not listed */
export async function unlistProject(ctx: Context, project: ProjectRow, targetId: number, direction: Direction): Promise<void> {
  const { db } = ctx
  const target = (await projectsById(db, [targetId])).get(targetId)
  const removed = await db
    .deleteFrom('job_token_scope_projects')
    .where('project_id', '=', project.id)
    .where('direction', '=', direction)
    .where('target_project_id', '=', targetId)
    .returning('target_project_id')
    .executeTakeFirst()
  if (!target || !removed) throw notFound('Target project')
  await record(ctx, 'job_token_scope.removed', project, { type: 'Project', id: target.id, name: target.full_path, direction })
}

/**
 * Adds a group that the actor can see.
 * @throws Refusal 404 for one that the actor cannot see; 400 for one that is listed already
 */
export async function listGroup(
  ctx: Context,
  project: ProjectRow,
  target_group_id: number,
): Promise<{ readonly source_project_id: number; readonly target_group_id: number }> {
  const { db, actor, now } = ctx
  const target = await visibleGroup(db, actor, String(target_group_id))
  if (!target) throw notFound('Target group')
  await lockLists(db, project)
  const { count } = await db
    .selectFrom('job_token_scope_groups')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow()
  if (count >= MOST_LISTED) throw badRequest(`The job token scope has ${MOST_LISTED} groups at most`)
  const made = await db
    .insertInto('job_token_scope_groups')
    .values({ project_id: project.id, target_group_id: target.id, added_by_id: actor.user?.id ?? null, created_at: now })
    .onConflict(on => on.doNothing())
    .returning('target_group_id')
    .executeTakeFirst()
  if (!made) throw badRequest('Target group is already in the job token scope')
  await record(ctx, 'job_token_scope.added', project, { type: 'Group', id: target.id, name: target.full_path, direction: 'inbound' })
  return { source_project_id: project.id, target_group_id: target.id }
}

/** Removes a group from the list. */
export async function unlistGroup(
  ctx: Context,
  project: ProjectRow,
  group: { readonly id: number; readonly full_path: string },
): Promise<void> {
  await ctx.db.deleteFrom('job_token_scope_groups').where('project_id', '=', project.id).where('target_group_id', '=', group.id).execute()
  await record(ctx, 'job_token_scope.removed', project, { type: 'Group', id: group.id, name: group.full_path, direction: 'inbound' })
}
