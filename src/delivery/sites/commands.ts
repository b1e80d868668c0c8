/** Writes of the static sites of projects. */
import type { Db } from '../../platform/db/connection.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { addToStatistics } from '../../spaces/project_statistics/commands.ts'

/** What becomes the site of a project. */
export interface NewSite {
  readonly project_id: number
  readonly job_id: number
  readonly object_id: number
  /** Bytes of the archive. */
  readonly size: number
  readonly file_count: number
  readonly unpacked_size: number
}

/** Locks a project, so that of changes of its site at the same time one waits for the other; false where it is gone. */
async function lockProject(db: Db, projectId: number): Promise<boolean> {
  const held = await db.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate().executeTakeFirst()
  return held !== undefined
}

const present = (db: Db, projectId: number) =>
  db.selectFrom('project_sites').selectAll().where('project_id', '=', projectId).executeTakeFirst()

/** Serves an archive as the site of a project, in the place of the former one. `ctx.db` is a transaction. */
export async function replaceSite(ctx: Context, site: NewSite): Promise<void> {
  const { db, now } = ctx
  if (!(await lockProject(db, site.project_id))) return
  const before = await present(db, site.project_id)
  const { project_id: _, ...values } = { ...site, published_at: now }
  await db
    .insertInto('project_sites')
    .values({ ...site, published_at: now })
    .onConflict(conflict => conflict.column('project_id').doUpdateSet(values))
    .execute()
  await addToStatistics(db, site.project_id, 'job_artifacts_size', site.size - (before?.size ?? 0))
  await recordEvent(ctx, {
    kind: 'site.published',
    payload: { id: site.project_id, name: `job #${site.job_id}` },
    projectId: site.project_id,
  })
}

/** Takes the site of a project away; nothing where there is none. Its domains stay, and lead nowhere. `ctx.db` is a transaction. */
export async function removeSite(ctx: Context, projectId: number): Promise<void> {
  const { db } = ctx
  await lockProject(db, projectId)
  const removed = await db.deleteFrom('project_sites').where('project_id', '=', projectId).returning('size').executeTakeFirst()
  if (!removed) return
  await addToStatistics(db, projectId, 'job_artifacts_size', -removed.size)
  await recordEvent(ctx, { kind: 'site.removed', payload: { id: projectId, name: 'site' }, projectId })
}
