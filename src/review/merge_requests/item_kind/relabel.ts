/** Changes of many merge requests in one statement: merging labels and milestones. */
import { sql } from 'kysely'
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
