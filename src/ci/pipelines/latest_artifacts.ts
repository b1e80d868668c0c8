/** Which pipelines' artifacts outlive their expiry: those of the newest successful one of each reference (`keep_latest_artifact`). */
import type { Db } from '../../db/connection.ts'

/** A pipeline has succeeded: from now on it is the one that keeps its artifacts, and its children, unless a newer one is. */
export async function keepLatestOf(db: Db, { id }: { readonly id: number }): Promise<void> {
  const pipeline = await db
    .selectFrom('pipelines')
    .select(['project_id', 'ref', 'tag', 'parent_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // A child's are kept with those of whom it belongs to.
  if (pipeline.parent_id !== null) return
  const { project_id, ref, tag } = pipeline
  const ofReference = () =>
    db
      .selectFrom('pipelines')
      .select('id')
      .where('project_id', '=', project_id)
      .where('ref', '=', ref)
      .where('tag', '=', tag)
      .where('parent_id', 'is', null)
  const newer = await ofReference().where('status', '=', 'success').where('id', '>', id).limit(1).executeTakeFirst()
  if (newer) return
  await db
    .updateTable('pipelines')
    .set({ locked: false })
    .where('project_id', '=', project_id)
    .where('ref', '=', ref)
    .where('tag', '=', tag)
    .where('locked', '=', true)
    .where('id', '<', id)
    .execute()
  await db
    .updateTable('pipelines')
    .set({ locked: true })
    .where(({ or, eb }) => or([eb('id', '=', id), eb('parent_id', '=', id)]))
    .execute()
}
