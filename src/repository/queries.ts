/** Reads of repositories that other resources need. */
import { readRefs, resolveCommit } from '../git/objects/objects.ts'
import { isValidShortName } from '../git/refs/names.ts'
import type { Context } from '../kernel/context.ts'
import { readmeOf } from './readme.ts'
import { findRepository, type Stored } from './store.ts'

/** Does the repository have this branch? */
export async function branchExists({ deps }: Pick<Context, 'deps'>, project: Stored, branch: string): Promise<boolean> {
  if (!isValidShortName(branch)) return false
  const repository = await findRepository(deps.storages, project)
  const [commit] = repository ? await readRefs(repository, [`refs/heads/${branch}`]) : []
  return commit !== undefined
}

/** The README at the top of a branch that exists, or null. */
export async function readmeOfBranch({ deps }: Pick<Context, 'deps'>, project: Stored, branch: string): Promise<string | null> {
  const repository = await findRepository(deps.storages, project)
  const commit = repository && (await resolveCommit(repository, `refs/heads/${branch}`))
  return repository && commit ? readmeOf(repository, commit) : null
}
