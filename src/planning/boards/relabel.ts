/** Labels and milestones that become one: boards and lists of the one are about the other then. */
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any.ts'
import type { Db } from '../../platform/db/connection.ts'

/** Gives a board one list of `to` in place of the first of its lists of `from`, unless it has one already. */
const moveLists = (db: Db, column: 'label_id' | 'milestone_id', from: readonly number[], to: number) =>
  sql`update board_lists set ${sql.ref(column)} = ${to}
       where id in (select min(id) from board_lists where ${sql.ref(column)} = any(${from}) group by board_id)
         and not exists (select from board_lists other where other.board_id = board_lists.board_id and other.${sql.ref(column)} = ${to})`.execute(
    db,
  )

/** Boards and lists of the labels `from` are of `to`; `from` are about to be deleted. */
export async function replaceLabelsOnBoards(db: Db, from: readonly number[], to: number): Promise<void> {
  await moveLists(db, 'label_id', from, to)
  await sql`insert into board_labels (board_id, label_id)
    select distinct board_id, ${to}::bigint from board_labels where label_id = any(${from})
    on conflict do nothing`.execute(db)
}

/** Boards and lists of the milestones `from` are of `to`; `from` are about to be deleted. */
export async function replaceMilestonesOnBoards(db: Db, from: readonly number[], to: number): Promise<void> {
  await moveLists(db, 'milestone_id', from, to)
  await db.updateTable('boards').set({ milestone_id: to }).where('milestone_id', '=', anyOf(from)).execute()
}
