/**
 * The ids that the names in filters stand for, found before the list is asked for. Of an id the database knows how common
 * it is, and plans for that: it walks along the order of the list where many rows match, and begins with the label or
 * milestone where few do. Of a name in a subquery it knows nothing.
 */
import { type RawBuilder, sql } from 'kysely'
import { anyOf, idArray } from '../db/any.ts'
import type { Db } from '../db/connection.ts'
import type { Filters } from './filters.ts'

/** Ids by name; a name that is not there stands for nothing. */
export interface NamedIds {
  readonly labels: ReadonlyMap<string, readonly number[]>
  readonly milestones: ReadonlyMap<string, readonly number[]>
}

/**
 * The ids of the names in `wanted` and `not`; a statement for each kind that is named.
 * @param projectIds the projects whose things are meant, with those of groups; without them those of all projects
 */
export async function idsNamedIn(
  db: Db,
  { not = {}, ...wanted }: Filters & { readonly not?: Filters | undefined },
  projectIds?: readonly number[],
): Promise<NamedIds> {
  const inPlace =
    projectIds === undefined ? sql<boolean>`true` : sql<boolean>`(project_id = any(${idArray(projectIds)}) or project_id is null)`
  const labels = [...new Set([...(wanted.labels ?? []), ...(not.labels ?? [])])]
  const titles = [...new Set([wanted.milestone, not.milestone].filter(title => title !== undefined))]
  return { labels: await labelIds(db, labels, inPlace), milestones: await milestoneIds(db, titles, inPlace) }
}

async function labelIds(db: Db, names: readonly string[], inPlace: RawBuilder<boolean>): Promise<Map<string, number[]>> {
  if (names.length === 0) return new Map()
  const rows = await db.selectFrom('labels').select(['id', 'name']).where('name', '=', anyOf(names)).where(inPlace).execute()
  return idsBy(rows.map(({ id, name }) => [name, id]))
}

async function milestoneIds(db: Db, titles: readonly string[], inPlace: RawBuilder<boolean>): Promise<Map<string, number[]>> {
  if (titles.length === 0) return new Map()
  const rows = await db.selectFrom('milestones').select(['id', 'title']).where('title', '=', anyOf(titles)).where(inPlace).execute()
  return idsBy(rows.map(({ id, title }) => [title, id]))
}

function idsBy(pairs: readonly (readonly [string, number])[]): Map<string, number[]> {
  const ids = new Map<string, number[]>()
  for (const [name, id] of pairs) {
    const known = ids.get(name)
    if (known) known.push(id)
    else ids.set(name, [id])
  }
  return ids
}
