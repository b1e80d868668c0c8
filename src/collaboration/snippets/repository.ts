/**
 * The repositories of snippets, one of each, and what their rows say of them: the paths of the files and the size. The row is written in the
 * transaction that moves the branch; the task `refresh_snippet`, queued before, mends it where a crash came between the two.
 */

import type { Db } from '../../platform/db/connection.ts'
import { transactOnce } from '../../platform/db/transact.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { defaultBranchOf, listTree, type ObjectId, type Repository, readRefs, repositorySize } from '../../platform/git/index.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { addToStatistics } from '../../spaces/project_statistics/commands.ts'
import { findStored } from '../../spaces/projects/repository/store.ts'
import type { SnippetRow } from './queries.ts'

/** The columns that locate the repository of a snippet. */
export type StoredSnippet = Pick<SnippetRow, 'id' | 'repository_storage'>

/** Names the repository of a snippet in its storage. */
export const keyOfSnippet = (id: number) => ({ folder: '@snippets', id }) as const

/** The repository of a snippet; undefined where it was deleted meanwhile. */
export const repositoryOf = ({ storages }: Deps, { id, repository_storage }: StoredSnippet): Promise<Repository | undefined> =>
  findStored(storages, repository_storage, keyOfSnippet(id))

/** The paths of all files of a commit, in the order of their bytes. */
export async function filePathsOf(repository: Repository, commit: ObjectId): Promise<string[]> {
  const tree = await listTree(repository, { commit, recursive: true })
  return (tree?.rows ?? [])
    .filter(({ type }) => type === 'blob')
    .map(({ path }) => path)
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
}

/** The tip of the snippet's branch; undefined before the first commit. */
export async function tipOf(repository: Repository, { default_branch }: Pick<SnippetRow, 'default_branch'>): Promise<ObjectId | undefined> {
  const [tip] = await readRefs(repository, [`refs/heads/${default_branch}`])
  return tip
}

/** What the row says of the repository as it is now. */
export async function factsOf(repository: Repository, commit: ObjectId | undefined) {
  return { file_paths: commit ? await filePathsOf(repository, commit) : [], repository_size: await repositorySize(repository) }
}

/** Counts the bytes of a project's snippet, in the transaction that changes its row. */
export async function countBytes(db: Db, { project_id }: Pick<SnippetRow, 'project_id'>, bytes: number): Promise<void> {
  if (project_id !== null && bytes !== 0) await addToStatistics(db, project_id, 'snippets_size', bytes)
}

/** Queues the task that mends the row, before the branch is moved. */
export const scheduleRefresh = (db: Db, snippet_id: number, at: Date): Promise<unknown> =>
  enqueue(db, 'refresh_snippet', { snippet_id }, { jobKey: `refresh_snippet ${snippet_id}`, runAt: at })

/** Reads again what the row of a snippet says of its repository; does nothing for a deleted one. */
export async function refreshSnippet(
  deps: Deps,
  { snippet_id, pushed = false }: { readonly snippet_id: number /** Its files have changed now. */; readonly pushed?: boolean },
): Promise<void> {
  await transactOnce(deps.database.db, async db => {
    const row = await db.selectFrom('snippets').selectAll().where('id', '=', snippet_id).forUpdate().executeTakeFirst()
    const repository = row && (await repositoryOf(deps, row))
    if (!row || !repository) return
    const default_branch = (await defaultBranchOf(repository)) ?? row.default_branch
    const facts = await factsOf(repository, await tipOf(repository, { default_branch }))
    await db
      .updateTable('snippets')
      .set({ ...facts, default_branch, ...(pushed && { updated_at: deps.now() }) })
      .where('id', '=', snippet_id)
      .execute()
    await countBytes(db, row, facts.repository_size - row.repository_size)
  })
}

/** Queues the removal of the repositories of deleted snippets. */
export const scheduleRemoval = ({ db }: Pick<Context, 'db'>): Promise<unknown> =>
  enqueue(db, 'remove_deleted_snippets', {}, { jobKey: 'remove_deleted_snippets' })

/** Removes the repositories of deleted snippets. */
export async function removeDeletedSnippets({ database: { db }, storages }: Deps): Promise<void> {
  const gone = await db.selectFrom('deleted_snippets').selectAll().execute()
  for (const { id, repository_storage } of gone) {
    const storage = storages.get(repository_storage)
    await storage.remove(storage.repository(keyOfSnippet(id)))
    await db.deleteFrom('deleted_snippets').where('id', '=', id).execute()
  }
}
