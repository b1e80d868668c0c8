/** Milestones. */
import type { Place } from '../../../platform/access/places.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { insertRowsWithIds } from '../../../platform/db/statements/insert_rows.ts'
import { nextIid, recordChosenIid } from '../../../spaces/places/iids.ts'
import { type Import, relationOf, timesOf } from '../importing/import.ts'
import type { Row } from '../reading/row.ts'
import { isOf } from './read.ts'

/** The milestones with these ids as archives write them. */
export async function exportedMilestones(db: Db, ids: readonly number[]): Promise<Map<number, object>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('milestones').selectAll().where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(({ namespace_id, ...row }) => [row.id, { ...row, group_id: namespace_id }]))
}

/** `milestones.ndjson`: the milestones of the place itself. */
export async function* exportMilestones(db: Db, place: Place): AsyncGenerator<object> {
  const rows = await db.selectFrom('milestones').select('id').where(isOf(place)).orderBy('iid').execute()
  const ids = rows.map(({ id }) => id)
  const milestones = await exportedMilestones(db, ids)
  for (const id of ids) yield milestones.get(id) as object
}

/** The id of a milestone here, made if there is none of its title: one of the archive's groups becomes one of the place. */
export async function milestoneIdOf(state: Import, row: Row | undefined, isOwn = false): Promise<number | null> {
  if (!row) return null
  const { db, place, milestones } = state
  const title = row.text('title', 255)
  const known = milestones.get(title)
  if (known !== undefined) return known
  const given = isOwn ? row.maybeIid() : undefined
  if (given !== undefined) await recordChosenIid(db, place, 'milestone', given)
  const [id] = await insertRowsWithIds(db, 'milestones', [
    {
      ...place,
      iid: given ?? (await nextIid(db, place, 'milestone')),
      title,
      description: row.maybeText('description') ?? null,
      state: row.oneOf('state', ['active', 'closed']),
      start_date: row.maybeDay('start_date') ?? null,
      due_date: row.maybeDay('due_date') ?? null,
      ...timesOf(state, row),
    },
  ])
  milestones.set(title, id as number)
  return id as number
}

/** Reads `milestones.ndjson`. */
export async function importMilestones(state: Import): Promise<void> {
  for await (const row of relationOf(state, 'milestones')) await milestoneIdOf(state, row, true)
}
