/** What an import knows while it goes through an archive. Ids of the archive are keys of these tables and nothing else: no row of another place is ever named. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Place } from '../../../platform/access/places.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { readLines } from '../reading/lines.ts'
import type { Row } from '../reading/row.ts'
import type { People } from './people.ts'

/** What of an archive is not here. */
export interface Failure {
  readonly relation: string
  readonly source: string
  readonly message: string
}

/** The import of a project or group in its transaction. */
export interface Import {
  /** Of the user who imports; `db` is the transaction. */
  readonly ctx: Context
  readonly db: Db
  /** What is filled. */
  readonly place: Place
  /** The folder with the relations of the place. */
  readonly relations: string
  readonly people: People
  /** The labels and milestones of the place and of the groups above it, by name: of two of one name the nearest. */
  readonly labels: Map<string, number>
  readonly milestones: Map<string, number>
  /** Labels by their ids in the archive: notes name them so. */
  readonly labelIds: Map<number, number>
  /** What could not be imported. */
  readonly failures: Failure[]
}

/** The rows of a relation of the place. */
export const relationOf = ({ relations }: Pick<Import, 'relations'>, name: string): AsyncGenerator<Row, void, void> =>
  readLines(join(relations, `${name}.ndjson`), name)

/** Bytes of lines after which a group ends: its rows are in memory together. */
const MOST_GROUPED = 8 * 1024 * 1024

/** The rows of a relation in groups, each of which is written together. */
export async function* groupsOf(rows: AsyncGenerator<Row, void, void>, size = 100): AsyncGenerator<Row[], void, void> {
  let group: Row[] = []
  let bytes = 0
  for await (const row of rows) {
    group.push(row)
    bytes += row.bytes
    if (group.length < size && bytes < MOST_GROUPED) continue
    yield group
    group = []
    bytes = 0
  }
  if (group.length > 0) yield group
}

/** A new name for what an archive names by a random one, the same for the same: threads are found by it everywhere. */
export const renamed = ({ place }: Pick<Import, 'place'>, name: string): string =>
  createHash('sha1')
    .update(`${'project_id' in place ? place.project_id : `group ${place.namespace_id}`} ${name}`)
    .digest('hex')

/** The times of a row; those of the import where it has none. */
export function timesOf({ ctx }: Pick<Import, 'ctx'>, row: Row): { readonly created_at: string; readonly updated_at: string } {
  const created_at = row.maybeInstant('created_at') ?? ctx.now.toISOString()
  return { created_at, updated_at: row.maybeInstant('updated_at') ?? created_at }
}
