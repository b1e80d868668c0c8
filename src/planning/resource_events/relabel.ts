/** Resource events of items that were moved: they name no label, milestone or iteration that is not available there. */
import { sql } from 'kysely'
import { type Replacement, replacementRows } from '../../collaboration/item_kinds/replacements.ts'
import { deleteSystemNotes } from '../../collaboration/notes/writing/write.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { movedPlaces } from '../shared/moved_places.ts'

/** Lets the events of items of some projects and groups alone name other labels or milestones. */
export const replaceInEvents = (db: Db, column: 'label_id' | 'milestone_id', replacements: readonly Replacement[]) =>
  sql`update resource_events set ${sql.ref(column)} = found.to_id
    from (select e.id, r.to_id from ${replacementRows(replacements)} join resource_events e on e.${sql.ref(column)} = r.from_id
            left join issues on issues.id = e.issue_id left join merge_requests on merge_requests.id = e.merge_request_id
            left join epics on epics.id = e.epic_id
           where coalesce(issues.project_id, merge_requests.project_id) = r.project_id or epics.namespace_id = r.namespace_id) as found
   where found.id = resource_events.id`.execute(db)

/**
 * Deletes the notes that say titles of iterations of groups that are not above the issues any more: all but those of which an event, as
 * `forgetIterationsOfOtherGroups` has left them, says that the iteration is still there. A note and its event have one time.
 */
export const deleteNotesOnIterationsOfOtherGroups = (db: Db, moved: Place) =>
  deleteSystemNotes(
    db,
    sql`select n.id from notes n join issues on issues.id = n.issue_id join ${movedPlaces(moved)} on moved.project_id = issues.project_id
   where n.action = 'iteration_id'
     and not coalesce((select bool_and(e.iteration_id is not null) from resource_events e
       where e.issue_id = n.issue_id and e.kind = 'iteration' and e.created_at = n.created_at), false)`,
  )

/** Takes the iterations of groups that are not above the items any more from the events of these, as if they were deleted. */
export const forgetIterationsOfOtherGroups = (db: Db, moved: Place) =>
  sql`update resource_events set iteration_id = null
    from issues, iterations, ${movedPlaces(moved)}
   where issues.id = resource_events.issue_id and issues.project_id = moved.project_id
     and iterations.id = resource_events.iteration_id and iterations.namespace_id <> all(moved.above)`.execute(db)
