/**
 * From a project to its repository on disk. A project row without a repository is an empty repository: the directory
 * is made when something is first written, or when a git client comes.
 */
import { GitError } from '../../../platform/git/errors.ts'
import type { Repository } from '../../../platform/git/repository.ts'
import type { RepositoryStorages } from '../../../platform/git/storages.ts'

/** The branch that HEAD of a new repository names (the instance's default since 14.0). */
export const INITIAL_BRANCH = 'main'

/** What says where a project's repository is. */
export interface Stored {
  readonly id: number
  readonly repository_storage: string
}

/** The repository of a project, or undefined while nothing has been written to it. */
export async function findRepository(storages: RepositoryStorages, project: Stored): Promise<Repository | undefined> {
  const repository = storages.repository(project)
  return (await storages.get(project.repository_storage).exists(repository)) ? repository : undefined
}

/** The repository of a project, made if there is none yet. */
export async function ensureRepository(
  storages: RepositoryStorages,
  project: Stored & { readonly default_branch: string | null },
): Promise<Repository> {
  const existing = await findRepository(storages, project)
  if (existing) return existing
  try {
    return await storages.get(project.repository_storage).create(project.id, { defaultBranch: project.default_branch ?? INITIAL_BRANCH })
  } catch (error) {
    // Somebody else made it at the same moment.
    if (error instanceof GitError && error.kind === 'conflict') return storages.repository(project)
    throw error
  }
}
