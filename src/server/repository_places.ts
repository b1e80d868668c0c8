/** Where the repositories of an instance are, by the rows that may have one. */
import { sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'
import type { RepositoryKey } from '../platform/git/index.ts'

/** Rows per statement. */
const PAGE = 500

/** A repository that a row may have: it is made when something is written into it. */
export interface Place {
  readonly storage: string
  readonly key: RepositoryKey
  /** The branch of HEAD by the row; null: as git has it. */
  readonly branch: string | null
  /** The project that it is of; the journal has the moves of its references. */
  readonly project?: number
}

/** How many places there are at most. */
export async function countPlaces(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from projects) * 2 + (select count(*) from namespaces) + (select count(*) from snippets) as count`.execute(db)
  return rows[0]!.count
}

/** The places of all repositories that rows may have, in pages. */
export async function* placesIn(db: Db, storages: readonly string[]): AsyncGenerator<Place[], void, void> {
  for (let last = 0; ; ) {
    const page = await db
      .selectFrom('projects')
      .select(['id', 'repository_storage', 'default_branch'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield page.flatMap(({ id, repository_storage: storage, default_branch: branch }) => [
      { storage, key: { id }, branch, project: id },
      { storage, key: { id, suffix: 'wiki' }, branch: null },
    ])
    if (page.length < PAGE) break
    last = page.at(-1)!.id
  }
  for (const { table, key } of [
    { table: 'namespaces', key: (id: number): RepositoryKey => ({ folder: '@groups', id, suffix: 'wiki' }) },
    { table: 'snippets', key: (id: number): RepositoryKey => ({ folder: '@snippets', id }) },
  ] as const)
    for (let last = 0; ; ) {
      const page = await db.selectFrom(table).select('id').where('id', '>', last).orderBy('id').limit(PAGE).execute()
      yield page.flatMap(({ id }) => storages.map(storage => ({ storage, key: key(id), branch: null })))
      if (page.length < PAGE) break
      last = page.at(-1)!.id
    }
}
