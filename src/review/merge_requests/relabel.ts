/** What changes on many merge requests at once: labels and milestones that become one. */
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any.ts'
import type { Db } from '../../platform/db/connection.ts'

/** Gives every merge request that has one of the labels `from` the label `to` as well; `from` are about to be deleted. */
export const replaceLabelsOfMergeRequests = (db: Db, from: readonly number[], to: number) =>
  sql`insert into merge_request_labels (merge_request_id, label_id)
      select distinct merge_request_id, ${to}::bigint from merge_request_labels where label_id = any(${from})
      on conflict do nothing`.execute(db)

/** Moves the merge requests of the milestones `from` to `to`. */
export const replaceMilestonesOfMergeRequests = (db: Db, from: readonly number[], to: number) =>
  db.updateTable('merge_requests').set({ milestone_id: to }).where('milestone_id', '=', anyOf(from)).execute()
