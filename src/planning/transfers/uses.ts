/** Labels and milestones of groups that are not above moved projects and groups any more, where these use them. */
import { type RawBuilder, sql } from 'kysely'
import type { CopiedInto } from '../../collaboration/item_kinds/replacements.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { movedPlaces } from '../shared/moved_places.ts'

/** A label or milestone that a moved project or group uses, and that is not available there. */
export interface FormerUse extends CopiedInto {
  /** The name of the label, or the title of the milestone. */
  readonly name: string
  /** The groups above the project or group now; a group is among its own. */
  readonly above: readonly number[]
  /** Is another one of this name available there? */
  readonly replaceable: boolean
}

/** The labels of issues, merge requests, epics, boards, priorities and events. */
export const formerLabels = (db: Db, moved: Place): Promise<FormerUse[]> =>
  formerUses(
    db,
    moved,
    { table: 'labels', name: 'name' },
    sql`select i.project_id, null::bigint as namespace_id, l.label_id as id
          from moved join issues i using (project_id) join issue_labels l on l.issue_id = i.id
        union select m.project_id, null, l.label_id
          from moved join merge_requests m using (project_id) join merge_request_labels l on l.merge_request_id = m.id
        union select null, e.namespace_id, l.label_id from moved join epics e using (namespace_id) join epic_labels l on l.epic_id = e.id
        union select b.project_id, b.namespace_id, l.label_id from moved_boards b join board_labels l on l.board_id = b.id
        union select b.project_id, b.namespace_id, l.label_id from moved_boards b join board_lists l on l.board_id = b.id
        union select p.project_id, null, p.label_id from moved join label_priorities p using (project_id)
        union select i.project_id, null, e.label_id
          from moved join issues i using (project_id) join resource_events e on e.issue_id = i.id and e.kind = 'label'
        union select m.project_id, null, e.label_id
          from moved join merge_requests m using (project_id) join resource_events e on e.merge_request_id = m.id and e.kind = 'label'
        union select null, epics.namespace_id, e.label_id
          from moved join epics using (namespace_id) join resource_events e on e.epic_id = epics.id and e.kind = 'label'`,
  )

/** The milestones of issues, merge requests, boards, releases and events. */
export const formerMilestones = (db: Db, moved: Place): Promise<FormerUse[]> =>
  formerUses(
    db,
    moved,
    { table: 'milestones', name: 'title' },
    sql`select i.project_id, null::bigint as namespace_id, i.milestone_id as id from moved join issues i using (project_id)
        union select m.project_id, null, m.milestone_id from moved join merge_requests m using (project_id)
        union select r.project_id, null, m.milestone_id
          from moved join releases r using (project_id) join release_milestones m on m.release_id = r.id
        union select b.project_id, b.namespace_id, b.milestone_id from moved_boards b
        union select b.project_id, b.namespace_id, l.milestone_id from moved_boards b join board_lists l on l.board_id = b.id
        union select i.project_id, null, e.milestone_id
          from moved join issues i using (project_id) join resource_events e on e.issue_id = i.id and e.kind = 'milestone'
        union select m.project_id, null, e.milestone_id
          from moved join merge_requests m using (project_id) join resource_events e on e.merge_request_id = m.id and e.kind = 'milestone'`,
  )

/** Uses of the nearest of the former groups come first. The rows are locked, so that they keep their names until the end. */
async function formerUses(
  db: Db,
  moved: Place,
  { table, name }: { readonly table: 'labels' | 'milestones'; readonly name: 'name' | 'title' },
  used: RawBuilder<unknown>,
): Promise<FormerUse[]> {
  const { rows } = await sql<FormerUse>`
    with moved as materialized (select * from ${movedPlaces(moved)}),
    moved_boards as (select b.id, b.project_id, b.namespace_id, b.milestone_id from moved join boards b using (project_id)
      union all select b.id, b.project_id, b.namespace_id, b.milestone_id from moved join boards b using (namespace_id)),
    used as (${used})
    select used.project_id, used.namespace_id, thing.id as from_id, thing.${sql.ref(name)} as name, moved.above,
           exists (select from ${sql.table(table)} other where other.${sql.ref(name)} = thing.${sql.ref(name)}
              and (other.project_id = used.project_id or other.namespace_id = any(moved.above))) as replaceable
      from used join ${sql.table(table)} thing on thing.id = used.id
      join moved on moved.project_id = used.project_id or moved.namespace_id = used.namespace_id
      join namespaces former on former.id = thing.namespace_id
     where thing.namespace_id <> all(moved.above)
     order by cardinality(former.traversal_ids) desc, thing.id, used.project_id, used.namespace_id
       for key share of thing`.execute(db)
  return rows
}
