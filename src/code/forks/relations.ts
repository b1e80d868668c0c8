/** What happens to forks when their source changes. */
import type { Db } from '../../platform/db/connection.ts'

/** Contract: a project that becomes less visible is no longer what others were forked from (public behaviour since 12.6). */
export async function releaseForks(db: Db, sourceId: number): Promise<void> {
  await db.deleteFrom('project_forks').where('source_id', '=', sourceId).execute()
}
