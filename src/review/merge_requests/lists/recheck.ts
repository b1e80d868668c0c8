/** Lists that have the merge requests on a page checked (document 3 `with_merge_status_recheck`). */
import type { Slices } from '../../../platform/kernel/answer/page.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { askForPageCheck, isUnchecked } from '../merging/check.ts'
import type { MergeRequestRow } from '../queries.ts'
import type { MergeRequestList } from './queries.ts'

/**
 * The list; where it is wished, those that are shown and not checked yet are checked afterwards, in the background: the answer
 * shows what was known before. Whoever has not signed in has no work done for them.
 */
export function rechecked({ db, actor }: Pick<Context, 'db' | 'actor'>, list: MergeRequestList, isWished = false): Slices<MergeRequestRow> {
  if (!isWished || !actor.user) return list
  return {
    count: limit => list.count(limit),
    async slice(offset, limit, total) {
      const rows = await list.slice(offset, limit, total)
      const ids = rows.filter(isUnchecked).map(row => row.id)
      if (ids.length > 0) await askForPageCheck(db, ids)
      return rows
    },
  }
}
