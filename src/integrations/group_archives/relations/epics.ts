/** Epics, with their notes, reactions, labels, events and parents. */
import { setParents } from '../../../planning/epics/children/commands.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { insertRowsWithIds } from '../../../platform/db/statements/insert_rows.ts'
import { recordChosenIid } from '../../../spaces/places/iids.ts'
import { groupsOf, type Import, relationOf, timesOf } from '../../archives/importing/import.ts'
import { ArchiveRefused } from '../../archives/reading/refused.ts'
import type { Row } from '../../archives/reading/row.ts'
import { awardRows, thumbsIn } from '../../archives/relations/items/awards.ts'
import { exportedParts, importParts } from '../../archives/relations/items/parts.ts'
import { nextItems } from '../../archives/relations/read.ts'
import { type ArchivedEpic, fittingParents } from './epic_parents.ts'

/** Epics that are read and written together. */
const PAGE = 100

/** `epics.ndjson`. A parent comes along where its group is in the archive, too. */
export async function* exportEpics(db: Db, groupId: number, groupIds: ReadonlySet<number>): AsyncGenerator<object> {
  for (let last = 0; ; ) {
    const ids = await nextItems(db, 'epics', groupId, { after: last, most: PAGE })
    if (ids.length === 0) return
    last = ids.at(-1) as number
    const page = await db.selectFrom('epics').selectAll().where('id', '=', anyOf(ids)).orderBy('id').execute()
    const above = await db
      .selectFrom('epics')
      .select(['id', 'iid', 'title', 'namespace_id'])
      .where('id', '=', anyOf(page.flatMap(({ parent_id }) => parent_id ?? [])))
      .execute()
    const parents = new Map(above.filter(({ namespace_id }) => groupIds.has(namespace_id)).map(epic => [epic.id, epic]))
    const parts = await exportedParts(db, { namespace_id: groupId }, 'epic_id', page)
    for (const { namespace_id, position, upvotes: _up, downvotes: _down, user_notes_count: _notes, parent_id, ...epic } of page) {
      const parent = parents.get(parent_id ?? 0)
      yield {
        ...epic,
        group_id: namespace_id,
        relative_position: position,
        parent_id: parent?.id ?? null,
        ...(parent && { parent: { id: parent.id, iid: parent.iid, title: parent.title, group_id: parent.namespace_id } }),
        ...parts(epic.id),
      }
    }
  }
}

function columnsOf(state: Import, namespace_id: number, row: Row) {
  const { people } = state
  const times = timesOf(state, row)
  const isClosed = row.oneOf('state', ['opened', 'closed']) === 'closed'
  return {
    namespace_id,
    iid: row.iid(),
    author_id: people.idOf(row.maybeId('author_id')),
    title: row.text('title', 255),
    description: row.maybeText('description') ?? null,
    confidential: row.flag('confidential'),
    state: isClosed ? ('closed' as const) : ('opened' as const),
    closed_at: isClosed ? (row.maybeInstant('closed_at') ?? times.updated_at) : null,
    closed_by_id: isClosed ? people.maybeIdOf(row.maybeId('closed_by_id')) : null,
    start_date_fixed: row.maybeDay('start_date_fixed') ?? null,
    start_date_is_fixed: row.flag('start_date_is_fixed'),
    due_date_fixed: row.maybeDay('due_date_fixed') ?? null,
    due_date_is_fixed: row.flag('due_date_is_fixed'),
    ...thumbsIn(awardRows(state, 'epic_id', { id: 0, row })),
    user_notes_count: row.rows('notes').filter(note => !note.flag('system')).length,
    ...times,
  }
}

/** Most epics of an archive: their parents are in memory together. */
const MOST = 200_000

/** Reads `epics.ndjson` of a group; `epics` gets them by their ids in the archive, for `connectParents`. */
export async function importEpics(state: Import, group: ArchivedEpic['group'], epics: Map<number, ArchivedEpic>): Promise<void> {
  const { db, place } = state
  const iids = new Set<number>()
  for await (const rows of groupsOf(relationOf(state, 'epics'), PAGE)) {
    if (epics.size + rows.length > MOST) throw new ArchiveRefused(`epics: the archive has more than ${MOST}`, 'epics')
    const columns = rows.map(row => columnsOf(state, group.id, row))
    for (const { iid } of columns) {
      if (iids.has(iid)) throw new ArchiveRefused(`epics: the number ${iid} is there twice`, 'epics')
      iids.add(iid)
    }
    const ids = await insertRowsWithIds(db, 'epics', columns)
    const items = rows.map((row, at) => ({ row, id: ids[at] as number }))
    for (const { id, row } of items) {
      const key = row.maybeId('id')
      if (key === undefined) continue
      if (epics.has(key)) throw new ArchiveRefused(`epics: the id ${key} is there twice`, 'epics')
      epics.set(key, {
        id,
        group,
        confidential: row.flag('confidential'),
        parent: row.row('parent')?.maybeId('id') ?? row.maybeId('parent_id'),
        place: row.maybeInteger('relative_position', { min: -LARGEST }) ?? LARGEST,
      })
    }
    await importParts(state, 'epic_id', items)
  }
  if (iids.size > 0)
    await recordChosenIid(
      db,
      place,
      'epic',
      [...iids].reduce((one, other) => Math.max(one, other)),
    )
}

const LARGEST = 2_147_483_647

/** Writes the parents of all epics of an archive. */
export async function connectParents({ db, failures }: Pick<Import, 'db' | 'failures'>, epics: Map<number, ArchivedEpic>): Promise<void> {
  const { fitting, refused } = fittingParents(epics)
  for (const { id, why } of refused) failures.push({ relation: 'epics', source: `epic ${id}`, message: `It has no parent here: ${why}` })
  await setParents(db, fitting)
}
