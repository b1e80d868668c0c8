/** The end of a release; a file of its own, for tags take their releases along. */
import type { Db } from '../../platform/db/connection.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ReleaseRow } from './queries.ts'

/** Removes a release with its links and evidences. */
export async function dropRelease(db: Db, ctx: Context, { id, tag, project_id }: ReleaseRow): Promise<void> {
  await db.deleteFrom('releases').where('id', '=', id).execute()
  await recordEvent(
    { ...ctx, db },
    { kind: 'release.deleted', payload: { release_id: id, tag }, actorId: ctx.actor.user?.id, projectId: project_id },
  )
}
