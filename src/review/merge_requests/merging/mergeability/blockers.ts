/** Reasons that block a merge, other than conflicts between the branches. */

import type { Context } from '../../../../platform/kernel/context.ts'
import { mergeFactsOf } from '../../../approvals/merge_facts.ts'
import { type DetailedMergeStatus, detailedMergeStatus, type MergeFacts } from '../../details/mergeable.ts'
import type { MergeRequestRow } from '../../queries.ts'

/** The first blocker; undefined if there is none. A fixed number of statements. */
export async function mergeBlocker(
  { db, tier }: Pick<Context, 'db' | 'tier'>,
  mergeRequest: MergeRequestRow,
): Promise<DetailedMergeStatus | undefined> {
  const facts = (await mergeFactsOf(db, tier, [mergeRequest])).get(mergeRequest.id) as MergeFacts
  // The stored merge check is ignored: the merge itself finds conflicts.
  const status = detailedMergeStatus({ ...facts, merge_status: 'can_be_merged' })
  return status === 'mergeable' ? undefined : status
}
