/** The columns of a project's row that describe its repository, updated when references move (code/ref_updates/outcome.ts). */
import type { Db } from '../../../platform/db/connection.ts'

export interface RepositoryFacts {
  readonly empty_repo?: boolean
  readonly default_branch?: string
  /** The README in the root of the default branch; null for none. */
  readonly readme_path?: string | null
  /** The licence in the root of the default branch: its file, and the key of the known licence or `other`; null for none. */
  readonly license_path?: string | null
  readonly license_key?: string | null
  /** The commit that the stored languages describe. */
  readonly languages_commit?: string
  /** The last check of the repository found missing or unreadable objects. */
  readonly repository_checksum_failed?: boolean
  readonly last_activity_at?: Date
}

/** Stores facts about the repository of a project; omitted ones stay. */
export async function setRepositoryFacts(db: Db, projectId: number, facts: RepositoryFacts): Promise<void> {
  if (Object.keys(facts).length === 0) return
  await db.updateTable('projects').set(facts).where('id', '=', projectId).execute()
}

/**
 * Records that the stored languages, computed for the commit `known`, also describe `commit`. False if they describe another commit by now,
 * or the project is gone. One statement.
 */
export async function reuseLanguagesFor(db: Db, projectId: number, known: string | null, commit: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set({ languages_commit: commit })
    .where('id', '=', projectId)
    .where('languages_commit', 'is not distinct from', known)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The facts of a project that recording moved references needs. */
export type MovedIn = NonNullable<Awaited<ReturnType<typeof lockProject>>>

/**
 * Locks a project's row until the transaction ends, so that the results of reference moves are recorded one after the other; undefined if
 * it is gone. Rows that refer to the project can be written meanwhile.
 */
export const lockProject = (db: Db, projectId: number) =>
  db
    .selectFrom('projects')
    .select(['id', 'namespace_id', 'repository_storage', 'default_branch'])
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst()
