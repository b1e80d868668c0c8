/** Writes of stars. A database trigger maintains the count of a project (count_project_stars). */
import type { Context } from '../../platform/kernel/context.ts'
import { notModified, unauthenticated } from '../../platform/kernel/errors.ts'
import { type ProjectRow, projects } from '../projects/queries.ts'

/** Adds the caller's star to a project. @throws notModified if it has one (document 3 "Project moves") */
export async function starProject(ctx: Context, project: ProjectRow): Promise<ProjectRow> {
  const { numInsertedOrUpdatedRows: added } = await ctx.db
    .insertInto('project_stars')
    .values({ user_id: callerOf(ctx), project_id: project.id, created_at: ctx.now })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return starred(ctx, project, added)
}

/** Removes the caller's star from a project. @throws notModified if it has none */
export async function unstarProject(ctx: Context, project: ProjectRow): Promise<ProjectRow> {
  const { numDeletedRows: removed } = await ctx.db
    .deleteFrom('project_stars')
    .where('user_id', '=', callerOf(ctx))
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow()
  return starred(ctx, project, removed)
}

function callerOf({ actor }: Context): number {
  if (!actor.user) throw unauthenticated()
  return actor.user.id
}

async function starred({ db }: Context, { id }: ProjectRow, changes: bigint | undefined): Promise<ProjectRow> {
  if (changes !== 1n) throw notModified()
  return projects(db).where('projects.id', '=', id).executeTakeFirstOrThrow()
}
