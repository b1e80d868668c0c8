/** Issue boards, with their lists. */
import type { Place } from '../../../platform/access/places.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { insertRows, insertRowsWithIds } from '../../../platform/db/statements/insert_rows.ts'
import { type Import, relationOf, timesOf } from '../importing/import.ts'
import { exportedLabels, labelIdsOf } from './labels.ts'
import { exportedMilestones, milestoneIdOf } from './milestones.ts'
import { byId, isOf } from './read.ts'

/** `boards.ndjson`. */
export async function* exportBoards(db: Db, place: Place): AsyncGenerator<object> {
  const boards = await db.selectFrom('boards').selectAll().where(isOf(place)).orderBy('id').execute()
  const lists = await db
    .selectFrom('board_lists')
    .selectAll()
    .where('board_id', '=', anyOf(boards.map(({ id }) => id)))
    .orderBy('position')
    .orderBy('id')
    .execute()
  const idsIn = (column: 'label_id' | 'milestone_id') => lists.map(list => list[column]).filter(id => id !== null)
  const labels = await exportedLabels(db, place, idsIn('label_id'))
  const milestones = await exportedMilestones(db, idsIn('milestone_id'))
  const listsOf = byId(lists, 'board_id')
  for (const { milestone_id: _milestone, assignee_id: _assignee, ...board } of boards)
    yield {
      ...board,
      lists: listsOf(board.id).map(({ label_id, milestone_id, assignee_id, iteration_id: _iteration, ...list }) => ({
        ...list,
        list_type: label_id !== null ? 'label' : milestone_id !== null ? 'milestone' : assignee_id !== null ? 'assignee' : 'iteration',
        ...(label_id !== null && { label_id, label: labels.get(label_id) }),
        ...(milestone_id !== null && { milestone_id, milestone: milestones.get(milestone_id) }),
        ...(assignee_id !== null && { user_id: assignee_id }),
      })),
    }
}

/** Reads `boards.ndjson`. Lists of people who are not known here, and of iterations, are left out. */
export async function importBoards(state: Import): Promise<void> {
  const { db, place, people } = state
  for await (const row of relationOf(state, 'boards')) {
    const [board_id] = await insertRowsWithIds(db, 'boards', [
      {
        ...place,
        name: row.text('name', 255),
        hide_backlog_list: row.flag('hide_backlog_list'),
        hide_closed_list: row.flag('hide_closed_list'),
        weight: row.maybeInteger('weight') ?? null,
        ...timesOf(state, row),
      },
    ])
    const lists = new Map<string, { label_id: number } | { milestone_id: number } | { assignee_id: number }>()
    for (const list of row.rows('lists')) {
      const [label, milestone, user] = [list.row('label'), list.row('milestone'), list.maybeId('user_id')]
      if (label) {
        const [label_id] = await labelIdsOf(state, [label])
        lists.set(`label ${label_id}`, { label_id: label_id as number })
      } else if (milestone) {
        const milestone_id = (await milestoneIdOf(state, milestone)) as number
        lists.set(`milestone ${milestone_id}`, { milestone_id })
      } else if (people.knows(user)) lists.set(`user ${people.idOf(user)}`, { assignee_id: people.idOf(user) })
    }
    await insertRows(
      db,
      'board_lists',
      [...lists.values()].map((list, position) => ({ ...list, board_id: board_id as number, position })),
    )
  }
}
