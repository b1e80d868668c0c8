/** The two branches of a merge request: whether they exist, and whether another open merge request uses them. */

import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { conflict, invalid, unprocessable } from '../../../platform/kernel/errors.ts'
import type { Stored } from '../../../spaces/projects/repository/store.ts'
import { type Tips, tipsIn } from '../merging/tips.ts'

/** A merge request's branches by name. */
export interface BranchNames {
  readonly source_branch: string
  readonly target_branch: string
}

/** Source and target project of a merge request. */
export interface SourceAndTarget<P extends { readonly id: number } = Stored> {
  readonly source: P
  readonly target: P
}

/** The tips of both branches. */
export type KnownTips = { readonly [K in keyof Tips]: NonNullable<Tips[K]> }

/** The tips of both branches; 400 for a missing one. */
export async function requireTips(
  { deps: { storages } }: Pick<Context, 'deps'>,
  ends: SourceAndTarget,
  names: BranchNames,
): Promise<KnownTips> {
  const { source, target, head, start } = await tipsIn(storages, ends, names)
  if (!source || !target || head === undefined || start === undefined)
    throw invalid({
      ...(head === undefined && { source_branch: ['does not exist'] }),
      ...(start === undefined && { target_branch: ['does not exist'] }),
    })
  return { source, target, head, start }
}

/** 422 if source and target are the same branch. */
export function assertDistinctBranches(
  { source, target }: SourceAndTarget<{ readonly id: number }>,
  { source_branch, target_branch }: BranchNames,
): void {
  if (source.id === target.id && source_branch === target_branch)
    throw unprocessable(["You can't use same project/branch for source and target"])
}

/** The error for a second merge request of the same two branches; its number follows where it is known. */
export const SECOND = 'Another open merge request already exists for this source branch'

/** The number of another open merge request for the same two branches, if there is one. */
export async function secondOf(
  db: Db,
  { source, target }: SourceAndTarget<{ readonly id: number }>,
  { source_branch, target_branch }: BranchNames,
  ownId = 0,
): Promise<number | undefined> {
  const open = await db
    .selectFrom('merge_requests')
    .select('iid')
    .where('project_id', '=', target.id)
    .where('source_project_id', '=', source.id)
    .where('source_branch', '=', source_branch)
    .where('target_branch', '=', target_branch)
    .where('state', 'in', ['opened', 'locked'])
    .where('id', '<>', ownId)
    .executeTakeFirst()
  return open?.iid
}

/** 409 if another merge request for the same two branches is open. */
export async function assertNoOpenMergeRequest(...where: Parameters<typeof secondOf>): Promise<void> {
  const iid = await secondOf(...where)
  if (iid !== undefined) throw conflict([`${SECOND}: !${iid}`])
}
