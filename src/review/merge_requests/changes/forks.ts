/** Merge requests between projects that leave their fork network. */

import { areInOneNetwork } from '../../../code/forks/queries.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { projectsById } from '../../../spaces/projects/queries.ts'
import { updateMergeRequest } from './update.ts'

/** The open merge requests between this project and others. */
const openBetween = (db: Db, projectId: number) =>
  db
    .selectFrom('merge_requests')
    .select(['id', 'project_id', 'source_project_id'])
    .where('state', '=', 'opened')
    .whereRef('project_id', '<>', 'source_project_id')
    .where(({ or, eb }) => or([eb('source_project_id', '=', projectId), eb('project_id', '=', projectId)]))
    .orderBy('id')
    .execute()

/**
 * Closes the merge requests from a project that is about to be deleted. Their commits stay readable in the target projects.
 * `ctx.db` is a transaction.
 */
export async function closeMergeRequestsFrom(ctx: Context, projectId: number): Promise<void> {
  const rows = await openBetween(ctx.db, projectId)
  await close(
    ctx,
    rows.filter(row => row.source_project_id === projectId),
  )
}

/** Closes the merge requests between a project and those that it no longer shares an origin with (public behaviour at 14.0). */
export async function closeMergeRequestsOutsideNetwork(ctx: Context, projectId: number): Promise<void> {
  const apart: Awaited<ReturnType<typeof openBetween>> = []
  for (const row of await openBetween(ctx.db, projectId))
    if (!(await areInOneNetwork(ctx.db, row.project_id, row.source_project_id as number))) apart.push(row)
  await close(ctx, apart)
}

async function close(ctx: Context, rows: readonly { readonly id: number; readonly project_id: number }[]): Promise<void> {
  const targets = await projectsById(ctx.db, [...new Set(rows.map(row => row.project_id))])
  for (const row of rows) {
    const target = targets.get(row.project_id)
    if (target) await updateMergeRequest(ctx, target, row, { state_event: 'close' })
  }
}
