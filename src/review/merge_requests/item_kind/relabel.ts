/** Changes of many merge requests in one statement: merging labels and milestones. */
import { sql } from 'kysely'
import { type Replacement, replaceLabelsOfItems, replacementRows } from '../../../collaboration/item_kinds/replacements.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'

/** Adds the label `to` to all merge requests that have one of the labels `from`, which are about to be deleted. */
export const replaceLabelsOfMergeRequests = (db: Db, from: readonly number[], to: number) =>
  sql`insert into merge_request_labels (merge_request_id, label_id)
      select distinct merge_request_id, ${to}::bigint from merge_request_labels where label_id = any(${from})
      on conflict do nothing`.execute(db)

/** Moves the merge requests of the milestones `from` to `to`. */
export const replaceMilestonesOfMergeRequests = (db: Db, from: readonly number[], to: number) =>
  db.updateTable('merge_requests').set({ milestone_id: to }).where('milestone_id', '=', anyOf(from)).execute()

/** Replaces labels on the merge requests of some projects alone. */
export const replaceLabelsOfMergeRequestsIn = (db: Db, replacements: readonly Replacement[]) =>
  replaceLabelsOfItems(
    db,
    { items: 'merge_requests', place: 'project_id', labels: 'merge_request_labels', item: 'merge_request_id' },
    replacements,
  )

/** Moves the merge requests of some projects alone to other milestones. */
export const replaceMilestonesOfMergeRequestsIn = (db: Db, replacements: readonly Replacement[]) =>
  sql`update merge_requests set milestone_id = r.to_id from ${replacementRows(replacements)}
    where merge_requests.project_id = r.project_id and merge_requests.milestone_id = r.from_id`.execute(db)
