/** Merging of labels on epics. */
import { sql } from 'kysely'
import { type Replacement, replacementRows } from '../../../collaboration/item_kinds/replacements.ts'
import type { Db } from '../../../platform/db/connection.ts'

/** Adds the label `to` to all epics that have one of the labels `from`, which are about to be deleted. */
export const replaceLabelsOfEpics = (db: Db, from: readonly number[], to: number) =>
  sql`insert into epic_labels (epic_id, label_id)
      select distinct epic_id, ${to}::bigint from epic_labels where label_id = any(${from})
      on conflict do nothing`.execute(db)

/** Replaces labels on the epics of some groups alone. */
export async function replaceLabelsOfEpicsIn(db: Db, replacements: readonly Replacement[]): Promise<void> {
  await sql`insert into epic_labels (epic_id, label_id)
    select l.epic_id, r.to_id from ${replacementRows(replacements)}
      join epics on epics.namespace_id = r.namespace_id join epic_labels l on l.epic_id = epics.id and l.label_id = r.from_id
    on conflict do nothing`.execute(db)
  await sql`delete from epic_labels using epics, ${replacementRows(replacements)}
    where epics.id = epic_labels.epic_id and epics.namespace_id = r.namespace_id and epic_labels.label_id = r.from_id`.execute(db)
}
