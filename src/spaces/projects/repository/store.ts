/**
 * The repository of a project on disk. A project without a directory has an empty repository: the directory is created on the first write,
 * or when a git client connects.
 */
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { GitError, type Repository, type RepositoryKey, type RepositoryStorages } from '../../../platform/git/index.ts'

/** The branch of HEAD in a new repository, unless the instance has another (the platform's default since 14.0). */
const INITIAL_BRANCH = 'main'

/** The first branch of a repository for which none is given (`default_branch_name`). */
export const initialBranch = async (db: Db): Promise<string> => (await applicationSettings(db)).default_branch_name || INITIAL_BRANCH

/** The storage of what belongs to no project: the wikis of groups, personal snippets. */
export const sharedStorage = 'default'

/** The columns that locate a project's repository. */
export interface Stored {
  readonly id: number
  readonly repository_storage: string
}

/** The repository of a project, or undefined while nothing has been written to it. */
export async function findRepository(storages: RepositoryStorages, project: Stored): Promise<Repository | undefined> {
  return findStored(storages, project.repository_storage, { id: project.id })
}

/** The repository of this key in a storage, or undefined while nothing has been written to it. */
export async function findStored(storages: RepositoryStorages, storage: string, key: RepositoryKey): Promise<Repository | undefined> {
  const repository = storages.get(storage).repository(key)
  return (await storages.get(storage).exists(repository)) ? repository : undefined
}

/** The repository of a project, created if there is none yet. */
export async function ensureRepository(
  db: Db,
  storages: RepositoryStorages,
  project: Stored & { readonly default_branch: string | null },
): Promise<Repository> {
  return ensureStored(db, storages, project.repository_storage, { id: project.id }, project.default_branch)
}

/** The repository of this key in a storage, created if there is none yet, with the branch that HEAD then names. */
export async function ensureStored(
  db: Db,
  storages: RepositoryStorages,
  storage: string,
  key: RepositoryKey,
  branch: string | null,
): Promise<Repository> {
  const existing = await findStored(storages, storage, key)
  if (existing) return existing
  try {
    return await storages.get(storage).create(key, { defaultBranch: branch ?? (await initialBranch(db)) })
  } catch (error) {
    // A concurrent request created it.
    if (error instanceof GitError && error.kind === 'conflict') return storages.get(storage).repository(key)
    throw error
  }
}
