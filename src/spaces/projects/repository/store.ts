/**
 * The repository of a project on disk. A project without a directory has an empty repository: the directory is created on the first write,
 * or when a git client connects.
 */
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { GitError, type Repository, type RepositoryStorages } from '../../../platform/git/index.ts'

/** The branch of HEAD in a new repository, unless the instance has another (the platform's default since 14.0). */
const INITIAL_BRANCH = 'main'

/** The first branch of a repository for which none is given (`default_branch_name`). */
export const initialBranch = async (db: Db): Promise<string> => (await applicationSettings(db)).default_branch_name || INITIAL_BRANCH

/** The columns that locate a project's repository. */
export interface Stored {
  readonly id: number
  readonly repository_storage: string
}

/** The repository of a project, or undefined while nothing has been written to it. */
export async function findRepository(storages: RepositoryStorages, project: Stored): Promise<Repository | undefined> {
  const repository = storages.repository(project)
  return (await storages.get(project.repository_storage).exists(repository)) ? repository : undefined
}

/** The repository of a project, created if there is none yet. */
export async function ensureRepository(
  db: Db,
  storages: RepositoryStorages,
  project: Stored & { readonly default_branch: string | null },
): Promise<Repository> {
  const existing = await findRepository(storages, project)
  if (existing) return existing
  try {
    const defaultBranch = project.default_branch ?? (await initialBranch(db))
    return await storages.get(project.repository_storage).create(project.id, { defaultBranch })
  } catch (error) {
    // A concurrent request created it.
    if (error instanceof GitError && error.kind === 'conflict') return storages.repository(project)
    throw error
  }
}
