/** Merging of labels on epics. */
import { sql } from 'kysely'
import { type Replacement, replaceLabelsOfItems } from '../../../collaboration/item_kinds/replacements.ts'
import type { Db } from '../../../platform/db/connection.ts'

/** Adds the label `to` to all epics that have one of the labels `from`, which are about to be deleted. */
export const replaceLabelsOfEpics = (db: Db, from: readonly number[], to: number) =>
  sql`insert into epic_labels (epic_id, label_id)
      select distinct epic_id, ${to}::bigint from epic_labels where label_id = any(${from})
      on conflict do nothing`.execute(db)

/** Replaces labels on the epics of some groups alone. */
export const replaceLabelsOfEpicsIn = (db: Db, replacements: readonly Replacement[]) =>
  replaceLabelsOfItems(db, { items: 'epics', place: 'namespace_id', labels: 'epic_labels', item: 'epic_id' }, replacements)
