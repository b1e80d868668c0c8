/** Changes of many issues in one statement: merging labels and milestones, and the order within an epic. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'

/** Adds the label `to` to all issues that have one of the labels `from`, which are about to be deleted. */
export const replaceLabelsOfIssues = (db: Db, from: readonly number[], to: number) =>
  sql`insert into issue_labels (issue_id, label_id)
      select distinct issue_id, ${to}::bigint from issue_labels where label_id = any(${from})
      on conflict do nothing`.execute(db)

/** Moves the issues of the milestones `from` to `to`. */
export const replaceMilestonesOfIssues = (db: Db, from: readonly number[], to: number) =>
  db.updateTable('issues').set({ milestone_id: to }).where('milestone_id', '=', anyOf(from)).execute()

/** Sets the positions 0, 1, 2 … of the issues of an epic in this order. */
export const orderIssuesOfEpic = (db: Db, ids: readonly number[]) =>
  sql`update issues set epic_position = o.place - 1
        from unnest(${ids}::bigint[]) with ordinality as o(id, place) where issues.id = o.id`.execute(db)
