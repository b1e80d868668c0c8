/** What a project's row says about its repository, kept true by whoever moves references (code/ref_updates/outcome.ts). */
import type { Db } from '../../../platform/db/connection.ts'

export interface RepositoryFacts {
  readonly empty_repo?: boolean
  readonly default_branch?: string
  /** The README at the top of the default branch; null for none. */
  readonly readme_path?: string | null
  /** The licence at the top of the default branch: its file, and the key of the known licence or `other`; null for none. */
  readonly license_path?: string | null
  readonly license_key?: string | null
  /** The commit that the kept languages are of. */
  readonly languages_commit?: string
  /** Objects were found missing or unreadable when the repository was last checked. */
  readonly repository_checksum_failed?: boolean
  readonly last_activity_at?: Date
}

/** Stores facts about the repository of a project; what is not given stays. */
export async function setRepositoryFacts(db: Db, projectId: number, facts: RepositoryFacts): Promise<void> {
  if (Object.keys(facts).length === 0) return
  await db.updateTable('projects').set(facts).where('id', '=', projectId).execute()
}

/**
 * Notes that the kept languages, which were those of the commit `known`, are those of `commit` too. False where they are of another commit by
 * now, or the project is gone. One statement.
 */
export async function keepLanguagesFor(db: Db, projectId: number, known: string | null, commit: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set({ languages_commit: commit })
    .where('id', '=', projectId)
    .where('languages_commit', 'is not distinct from', known)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What of a project it takes to record that references of it have moved. */
export type MovedIn = NonNullable<Awaited<ReturnType<typeof lockProject>>>

/**
 * Locks a project's row until the transaction ends, so that its references' outcomes are recorded one after the other; undefined
 * when it is gone. Rows that name the project can be written meanwhile.
 */
export const lockProject = (db: Db, projectId: number) =>
  db
    .selectFrom('projects')
    .select(['id', 'namespace_id', 'repository_storage', 'default_branch'])
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst()
