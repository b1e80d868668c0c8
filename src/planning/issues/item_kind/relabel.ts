/** Changes of many issues in one statement: merging labels and milestones, and the order within an epic. */
import { sql } from 'kysely'
import { type Replacement, replaceLabelsOfItems, replacementRows } from '../../../collaboration/item_kinds/replacements.ts'
import type { Place } from '../../../platform/access/places.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { movedPlaces } from '../../shared/moved_places.ts'

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

/** Replaces labels on the issues of some projects alone. */
export const replaceLabelsOfIssuesIn = (db: Db, replacements: readonly Replacement[]) =>
  replaceLabelsOfItems(db, { items: 'issues', place: 'project_id', labels: 'issue_labels', item: 'issue_id' }, replacements)

/** Moves the issues of some projects alone to other milestones. */
export const replaceMilestonesOfIssuesIn = (db: Db, replacements: readonly Replacement[]) =>
  sql`update issues set milestone_id = r.to_id from ${replacementRows(replacements)}
    where issues.project_id = r.project_id and issues.milestone_id = r.from_id`.execute(db)

/** Removes the issues of moved projects from iterations of groups that are not above them. */
export const leaveIterationsOfOtherGroups = (db: Db, moved: Place) =>
  sql`update issues set iteration_id = null from iterations, ${movedPlaces(moved)}
    where issues.project_id = moved.project_id and iterations.id = issues.iteration_id
      and iterations.namespace_id <> all(moved.above)`.execute(db)
