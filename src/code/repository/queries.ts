/** Reads of repositories that other resources need. */
import { readRefs, resolveCommit } from '../../platform/git/objects/objects.ts'
import { isValidShortName } from '../../platform/git/refs/names.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { RepositoryFacts } from '../../spaces/projects/repository/facts.ts'
import { findRepository, type Stored } from '../../spaces/projects/repository/store.ts'
import { topFilesOf } from './top_files.ts'

/** Does the repository have this branch? */
export async function branchExists({ deps }: Pick<Context, 'deps'>, project: Stored, branch: string): Promise<boolean> {
  if (!isValidShortName(branch)) return false
  const repository = await findRepository(deps.storages, project)
  const [commit] = repository ? await readRefs(repository, [`refs/heads/${branch}`]) : []
  return commit !== undefined
}

/** README and licence at the top of a branch that exists. */
export async function topFilesOfBranch({ deps }: Pick<Context, 'deps'>, project: Stored, branch: string): Promise<RepositoryFacts> {
  const repository = await findRepository(deps.storages, project)
  const commit = repository && (await resolveCommit(repository, `refs/heads/${branch}`))
  return repository && commit ? topFilesOf(repository, commit) : { readme_path: null, license_path: null, license_key: null }
}
