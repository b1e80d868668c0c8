/** What an import knows while it goes through an archive. Ids of the archive are keys of these tables and nothing else: no row of another project is ever named. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Db } from '../../../platform/db/connection.ts'
import type { Repository } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { readLines } from '../archive/lines.ts'
import type { Row } from '../archive/row.ts'
import type { People } from './people.ts'

/** One import in its transaction. */
export interface Import {
  /** Of the user who imports; `db` is the transaction. */
  readonly ctx: Context
  readonly db: Db
  readonly project: ProjectRow
  /** Where the archive is unpacked. */
  readonly folder: string
  readonly repository: Repository | undefined
  readonly people: People
  /** The labels and milestones of the project and of its groups, by name. */
  readonly labels: Map<string, number>
  readonly milestones: Map<string, number>
  /** Labels by their ids in the archive: notes name them so. */
  readonly labelIds: Map<number, number>
  readonly issues: Map<number, number>
  readonly mergeRequests: Map<number, number>
  /** What could not be imported, for `failed_relations`. */
  readonly failures: { readonly relation: string; readonly source: string; readonly message: string }[]
}

/** The rows of a relation of the project. */
export const relationOf = ({ folder }: Pick<Import, 'folder'>, name: string): AsyncGenerator<Row, void, void> =>
  readLines(join(folder, 'tree', 'project', `${name}.ndjson`), name)

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
export const renamed = ({ project }: Pick<Import, 'project'>, name: string): string =>
  createHash('sha1').update(`${project.id} ${name}`).digest('hex')

/** The times of a row; those of the import where it has none. */
export function timesOf({ ctx }: Pick<Import, 'ctx'>, row: Row): { readonly created_at: string; readonly updated_at: string } {
  const created_at = row.maybeInstant('created_at') ?? ctx.now.toISOString()
  return { created_at, updated_at: row.maybeInstant('updated_at') ?? created_at }
}
