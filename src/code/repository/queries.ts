/** Reads of repositories for other resources. */
import { isValidShortName, readRefs } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { findRepository, type Stored } from '../../spaces/projects/repository/store.ts'

/** Does the repository have this branch? */
export async function branchExists({ deps }: Pick<Context, 'deps'>, project: Stored, branch: string): Promise<boolean> {
  if (!isValidShortName(branch)) return false
  const repository = await findRepository(deps.storages, project)
  const [commit] = repository ? await readRefs(repository, [`refs/heads/${branch}`]) : []
  return commit !== undefined
}
