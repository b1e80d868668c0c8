/** Iterations. */
import type { Db } from '../../../platform/db/connection.ts'
import { insertRows } from '../../../platform/db/statements/insert_rows.ts'
import { recordChosenIid } from '../../../spaces/places/iids.ts'
import { type Import, relationOf, timesOf } from '../../archives/importing/import.ts'
import { ArchiveRefused } from '../../archives/reading/refused.ts'
import type { Row } from '../../archives/reading/row.ts'

/** `iterations.ndjson`. */
export async function* exportIterations(db: Db, groupId: number): AsyncGenerator<object> {
  const rows = await db.selectFrom('iterations').selectAll().where('namespace_id', '=', groupId).orderBy('iid').execute()
  for (const { namespace_id, ...iteration } of rows) yield { ...iteration, group_id: namespace_id }
}

/** Most iterations of a group: one a day for a century. */
const MOST = 36_500

function dayOf(row: Row, name: string): string {
  const day = row.maybeDay(name)
  if (day === undefined) throw new ArchiveRefused(`iterations: ${name} is missing`, 'iterations')
  return day
}

/** Reads `iterations.ndjson`. Those of one group do not overlap. */
export async function importIterations(state: Import, namespace_id: number): Promise<void> {
  const rows = []
  for await (const row of relationOf(state, 'iterations')) {
    if (rows.length === MOST) throw new ArchiveRefused(`iterations: a group has more than ${MOST}`, 'iterations')
    const iid = row.iid()
    const [start_date, due_date] = [dayOf(row, 'start_date'), dayOf(row, 'due_date')]
    // Later archives of the platform have iterations without titles.
    const title = row.maybeText('title', 255) ?? `${start_date} – ${due_date}`
    const description = row.maybeText('description') ?? null
    rows.push({ namespace_id, iid, title, description, start_date, due_date, ...timesOf(state, row) })
  }
  if (rows.length === 0) return
  const ordered = rows.toSorted((one, other) => (one.start_date < other.start_date ? -1 : 1))
  for (const [at, { start_date }] of ordered.entries())
    if (at > 0 && (ordered[at - 1]?.due_date as string) >= start_date)
      throw new ArchiveRefused('iterations: two of a group overlap', 'iterations')
  await insertRows(state.db, 'iterations', rows)
  await recordChosenIid(state.db, { namespace_id }, 'iteration', Math.max(...rows.map(({ iid }) => iid)))
}
