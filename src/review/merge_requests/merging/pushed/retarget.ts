/** Merge requests on top of one another: when one is merged and its branch goes, those that were for this branch go one further. */
import { transact } from '../../../../platform/db/transact.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { Refusal } from '../../../../platform/kernel/errors.ts'
import { projectsById } from '../../../../spaces/projects/queries.ts'
import { updateMergeRequest } from '../../update.ts'

/** Contract: no more than four merge requests follow one that was merged (public behaviour since 13.9). */
const MOST = 4

/** `branch` of the project, which was at `tip`, has been deleted. */
export async function retarget(ctx: Context, projectId: number, branch: string, tip: string): Promise<void> {
  const { db } = ctx
  const merged = await db
    .selectFrom('merge_requests')
    .select('target_branch')
    .where('project_id', '=', projectId)
    .where('source_project_id', '=', projectId)
    .where('source_branch', '=', branch)
    .where('head_sha', '=', tip)
    .where('state', '=', 'merged')
    .orderBy('merged_at', 'desc')
    .executeTakeFirst()
  const project = merged && (await projectsById(db, [projectId])).get(projectId)
  if (!project) return
  const waiting = await db
    .selectFrom('merge_requests')
    .select('id')
    .where('project_id', '=', projectId)
    .where('target_branch', '=', branch)
    .where('state', '=', 'opened')
    .orderBy('id')
    .limit(MOST)
    .execute()
  for (const row of waiting)
    try {
      await transact(db, tx => updateMergeRequest({ ...ctx, db: tx }, project, row, { target_branch: merged.target_branch }))
    } catch (error) {
      // It would be the second one for the same two branches, or would have no other side: it stays as it is.
      if (!(error instanceof Refusal)) throw error
    }
}
