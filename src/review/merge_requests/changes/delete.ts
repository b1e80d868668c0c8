/** Deleting merge requests. */

import type { Events } from '../../../platform/events/catalog.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { RecordedEvent } from '../../../platform/events/recorded.ts'
import { deleteRefs, mergeRequestRef } from '../../../platform/git/index.ts'
import type { Context, Deps } from '../../../platform/kernel/context.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import { forgetClosingIssues } from '../closing/commands.ts'
import type { MergeRequestRow } from '../queries.ts'

/** Deletes a merge request with all that belongs to it, except its branches. Its number is not reused. */
export async function removeMergeRequest(
  ctx: Context,
  { id, iid, project_id }: Pick<MergeRequestRow, 'id' | 'iid' | 'project_id'>,
): Promise<void> {
  const { db, actor } = ctx
  await forgetClosingIssues(db, id)
  const gone = await db.deleteFrom('merge_requests').where('id', '=', id).returning('id').executeTakeFirst()
  // A concurrent request deleted it first.
  if (!gone) return
  await recordEvent(ctx, {
    kind: 'merge_request.deleted',
    payload: { merge_request_id: id, iid },
    actorId: actor.user?.id,
    projectId: project_id,
  })
}

/** Deletes the references under which clients fetched a deleted merge request. */
export async function dropMergeRequestRefs(
  { database, storages }: Deps,
  { iid }: Events['merge_request.deleted'],
  { project_id }: Pick<RecordedEvent, 'project_id'>,
): Promise<void> {
  const project = await database.db
    .selectFrom('projects')
    .select(['id', 'repository_storage'])
    .where('id', '=', project_id)
    .executeTakeFirst()
  const repository = project && (await findRepository(storages, project))
  if (repository) await deleteRefs(repository, [mergeRequestRef(iid, 'head'), mergeRequestRef(iid, 'merge')])
}
