/** What fields that take a branch or tag suggest. */
import { listBranches, listTags } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'

/** Names that the field of the branch or tag suggests. */
const MOST_SUGGESTED = 500

/** The names of branches and tags, or of branches alone, those with the newest commits first. */
export async function refNames(
  { deps }: Pick<Context, 'deps'>,
  project: ProjectWithRole,
  kind: 'branches' | 'all' = 'all',
): Promise<readonly string[]> {
  const repository = await findRepository(deps.storages, project)
  if (!repository) return []
  const newest = { order: 'updated', sort: 'desc' } as const
  const [branches, tags] = await Promise.all([listBranches(repository, newest), kind === 'all' ? listTags(repository, newest) : []])
  return [...new Set([...branches, ...tags].map(({ name }) => name))].slice(0, MOST_SUGGESTED)
}
