/** Why a merge request is not merged, apart from what git says of its branches. */

import type { Context } from '../../../platform/kernel/context.ts'
import { mergeFactsOf } from '../../approvals/merge_facts.ts'
import { type DetailedMergeStatus, detailedMergeStatus, type MergeFacts } from '../mergeable.ts'
import type { MergeRequestRow } from '../queries.ts'

/** What stands in the way, the first that does; undefined for nothing. A fixed number of statements. */
export async function mergeBlocker(
  { db, tier }: Pick<Context, 'db' | 'tier'>,
  mergeRequest: MergeRequestRow,
): Promise<DetailedMergeStatus | undefined> {
  const facts = (await mergeFactsOf(db, tier, [mergeRequest])).get(mergeRequest.id) as MergeFacts
  // What was last known of the branches does not count: the merge itself shows whether they fit.
  const status = detailedMergeStatus({ ...facts, merge_status: 'can_be_merged' })
  return status === 'mergeable' ? undefined : status
}
