/**
 * The ids that the names in filters stand for, found before the list is asked for. Of an id the database knows how common
 * it is, and plans for that: it walks along the order of the list where many rows match, and begins with the label or
 * milestone where few do. Of a name in a subquery it knows nothing.
 */
import { type RawBuilder, sql } from 'kysely'
import { anyOf, idArray } from '../db/any.ts'
import type { Db } from '../db/connection.ts'
import type { Filters } from './filters.ts'

/** What a name stands for. */
export interface Named {
  readonly ids: readonly number[]
  /** Does each belong to one of the projects that are asked? Then so does every row that has it, and no row has two. */
  readonly isOfProjects: boolean
}

/** Ids by name. */
export interface NamedIds {
  readonly labels: ReadonlyMap<string, Named>
  readonly milestones: ReadonlyMap<string, Named>
}

/** What a name stands for that nothing has. */
const nothing: Named = { ids: [], isOfProjects: true }

/** What `name` stands for. */
export const namedBy = (names: ReadonlyMap<string, Named>, name: string): Named => names.get(name) ?? nothing

/** Projects: their ids, or a query of them. */
export type Projects = readonly number[] | RawBuilder<number>

/**
 * The ids of the names in `wanted` and `not`; a statement for each kind that is named.
 * @param projects the projects whose things are meant, with those of groups
 */
export async function idsNamedIn(
  db: Db,
  { not = {}, ...wanted }: Filters & { readonly not?: Filters | undefined },
  projects: Projects,
): Promise<NamedIds> {
  const inPlace = sql<boolean>`(project_id is null or ${isIds(projects) ? sql`project_id = any(${idArray(projects)})` : isAmong(projects)})`
  const labels = [...new Set([...(wanted.labels ?? []), ...(not.labels ?? [])])]
  const titles = [...new Set([wanted.milestone, not.milestone].filter(title => title !== undefined))]
  const [labelled, planned] = await Promise.all([labelIds(db, labels, inPlace), milestoneIds(db, titles, inPlace)])
  return { labels: labelled, milestones: planned }
}

const isIds = (projects: Projects): projects is readonly number[] => Array.isArray(projects)

/** Looked up for each name by its project: the limit keeps the database from finding all of the projects first. */
const isAmong = (projects: RawBuilder<number>) =>
  sql<boolean>`coalesce((select true from (${projects}) as asked(id) where asked.id = project_id limit 1), false)`

async function labelIds(db: Db, names: readonly string[], inPlace: RawBuilder<boolean>): Promise<Map<string, Named>> {
  if (names.length === 0) return new Map()
  const rows = await db.selectFrom('labels').select(['id', 'project_id', 'name']).where('name', '=', anyOf(names)).where(inPlace).execute()
  return named(rows)
}

async function milestoneIds(db: Db, titles: readonly string[], inPlace: RawBuilder<boolean>): Promise<Map<string, Named>> {
  if (titles.length === 0) return new Map()
  const rows = await db
    .selectFrom('milestones')
    .select(['id', 'project_id', 'title as name'])
    .where('title', '=', anyOf(titles))
    .where(inPlace)
    .execute()
  return named(rows)
}

interface NamedRow {
  readonly id: number
  readonly project_id: number | null
  readonly name: string
}

function named(rows: readonly NamedRow[]): Map<string, Named> {
  const byName = Map.groupBy(rows, row => row.name)
  return new Map(
    [...byName].map(([name, some]) => [name, { ids: some.map(row => row.id), isOfProjects: some.every(row => row.project_id !== null) }]),
  )
}
