/** Stacked merge requests: when a merge deletes its source branch, merge requests into that branch get the merge's target branch. */
import { transact } from '../../../../platform/db/transact.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { Refusal } from '../../../../platform/kernel/errors.ts'
import { projectsById } from '../../../../spaces/projects/queries.ts'
import { updateMergeRequest } from '../../changes/update.ts'

/** Contract: at most four merge requests are retargeted (public behaviour since 13.9). */
const MOST = 4

/** Called when `branch` of the project, which was at `tip`, has been deleted. */
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
      // Retargeting would duplicate an open merge request or merge a branch into itself: it stays unchanged.
      if (!(error instanceof Refusal)) throw error
    }
}
