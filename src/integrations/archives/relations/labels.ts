/** Labels, with their priorities. */
import { sql } from 'kysely'
import type { Place } from '../../../platform/access/places.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { insertRows, insertRowsWithIds } from '../../../platform/db/statements/insert_rows.ts'
import { type Import, relationOf, timesOf } from '../importing/import.ts'
import { ArchiveRefused } from '../reading/refused.ts'
import type { Row } from '../reading/row.ts'
import { byId, isOf } from './read.ts'

/** The labels with these ids as archives write them. */
export async function exportedLabels(db: Db, place: Place, ids: readonly number[]): Promise<Map<number, object>> {
  if (ids.length === 0) return new Map()
  const labels = await db.selectFrom('labels').selectAll().where('id', '=', anyOf(ids)).execute()
  // Each project has priorities of its own.
  const projectId = 'project_id' in place ? place.project_id : undefined
  const given = projectId === undefined ? [] : await prioritiesOf(db, projectId, ids)
  const priorities = byId(given, 'label_id')
  return new Map(
    labels.map(({ id, name, color, description, project_id, namespace_id, created_at, updated_at }) => [
      id,
      {
        id,
        title: name,
        color,
        project_id,
        ...(namespace_id !== null && { group_id: namespace_id }),
        created_at,
        updated_at,
        template: false,
        description,
        type: namespace_id === null ? 'ProjectLabel' : 'GroupLabel',
        priorities: priorities(id).map(({ priority }) => ({ project_id: projectId, label_id: id, priority, created_at, updated_at })),
      },
    ]),
  )
}

const prioritiesOf = (db: Db, projectId: number, ids: readonly number[]) =>
  db
    .selectFrom('label_priorities')
    .select(['label_id', 'priority'])
    .where('project_id', '=', projectId)
    .where('label_id', '=', anyOf(ids))
    .execute()

/** `labels.ndjson`: the labels of the place itself. */
export async function* exportLabels(db: Db, place: Place): AsyncGenerator<object> {
  const rows = await db.selectFrom('labels').select('id').where(isOf(place)).orderBy('id').execute()
  const ids = rows.map(({ id }) => id)
  const labels = await exportedLabels(db, place, ids)
  for (const id of ids) yield labels.get(id) as object
}

/** The labels and milestones of the groups above a project, which the archive's may be the same as. */
export async function namesOfGroups(db: Db, traversalIds: readonly number[], table: 'labels' | 'milestones'): Promise<Map<string, number>> {
  if (traversalIds.length === 0) return new Map()
  const { rows } = await sql<{ readonly id: number; readonly namespace_id: number; readonly title: string }>`
    select id, namespace_id, ${sql.ref(table === 'labels' ? 'name' : 'title')} as title from ${sql.table(table)}
     where namespace_id = any(${traversalIds}::bigint[])`.execute(db)
  const depth = (id: number) => traversalIds.indexOf(id)
  // The nearest group wins.
  return new Map(rows.sort((one, other) => depth(one.namespace_id) - depth(other.namespace_id)).map(({ title, id }) => [title, id]))
}

const colorPattern = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** The ids of labels here, those made that are not there yet: a label of the archive's groups becomes one of the place. */
export async function labelIdsOf(state: Import, rows: readonly Row[]): Promise<number[]> {
  const { db, place, labels } = state
  const missing = new Map<string, Row>()
  const titles = rows.map(row => {
    const title = row.text('title', 255).trim()
    if (title === '' || title.includes(',')) throw new ArchiveRefused(`${row.relation}: the title of a label is not valid`, row.relation)
    if (!labels.has(title)) missing.set(title, row)
    return title
  })
  const made = [...missing]
  const ids = await insertRowsWithIds(
    db,
    'labels',
    made.map(([name, row]) => {
      const color = row.maybeText('color', 255) ?? '#428bca'
      if (!colorPattern.test(color)) throw new ArchiveRefused(`${row.relation}: the color of a label is not valid`, row.relation)
      return { ...place, name, color, description: row.maybeText('description') ?? null, ...timesOf(state, row) }
    }),
  )
  if ('project_id' in place) {
    const priorities = made.flatMap(([, row], at) =>
      row
        .rows('priorities')
        .slice(0, 1)
        .map(each => ({ ...place, label_id: ids[at] as number, priority: each.integer('priority') })),
    )
    await insertRows(db, 'label_priorities', priorities)
  }
  for (const [at, [title]] of made.entries()) labels.set(title, ids[at] as number)
  for (const [at, row] of rows.entries()) {
    const id = row.maybeId('id')
    if (id !== undefined) state.labelIds.set(id, labels.get(titles[at] as string) as number)
  }
  return titles.map(title => labels.get(title) as number)
}

/** Reads `labels.ndjson`. What the groups above have is taken over: no label has the name of one above. */
export async function importLabels(state: Import): Promise<void> {
  for await (const row of relationOf(state, 'labels')) await labelIdsOf(state, [row])
}
