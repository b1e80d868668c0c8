/** Lists that schedule a merge check of the merge requests on the page (document 3 `with_merge_status_recheck`). */
import type { Slices } from '../../../platform/kernel/answer/page.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { isUnchecked, requestPageChecks } from '../merging/mergeability/check.ts'
import type { MergeRequestRow } from '../queries.ts'
import type { MergeRequestList } from './queries.ts'

/**
 * The list; on request, unchecked merge requests on the page are scheduled for a check in the background. The response shows the state
 * from before. Anonymous requests schedule nothing.
 */
export function rechecked(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  list: MergeRequestList,
  isRequested = false,
): Slices<MergeRequestRow> {
  if (!isRequested || !actor.user) return list
  return {
    count: limit => list.count(limit),
    async slice(offset, limit, total) {
      const rows = await list.slice(offset, limit, total)
      const ids = rows.filter(isUnchecked).map(row => row.id)
      if (ids.length > 0) await requestPageChecks(db, ids)
      return rows
    },
  }
}
