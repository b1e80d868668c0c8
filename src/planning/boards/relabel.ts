/** Merging of labels and milestones: boards and lists of the merged ones get the remaining one. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

/** Replaces the first of a board's lists of `from` by a list of `to`, unless it has one already. */
const moveLists = (db: Db, column: 'label_id' | 'milestone_id', from: readonly number[], to: number) =>
  sql`update board_lists set ${sql.ref(column)} = ${to}
       where id in (select min(id) from board_lists where ${sql.ref(column)} = any(${from}) group by board_id)
         and not exists (select from board_lists other where other.board_id = board_lists.board_id and other.${sql.ref(column)} = ${to})`.execute(
    db,
  )

/** Replaces the labels `from`, which are about to be deleted, by `to` on boards and lists. */
export async function replaceLabelsOnBoards(db: Db, from: readonly number[], to: number): Promise<void> {
  await moveLists(db, 'label_id', from, to)
  await sql`insert into board_labels (board_id, label_id)
    select distinct board_id, ${to}::bigint from board_labels where label_id = any(${from})
    on conflict do nothing`.execute(db)
}

/** Replaces the milestones `from`, which are about to be deleted, by `to` on boards and lists. */
export async function replaceMilestonesOnBoards(db: Db, from: readonly number[], to: number): Promise<void> {
  await moveLists(db, 'milestone_id', from, to)
  await db.updateTable('boards').set({ milestone_id: to }).where('milestone_id', '=', anyOf(from)).execute()
}
