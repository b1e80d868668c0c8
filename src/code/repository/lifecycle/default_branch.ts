/** Changing a project's default branch: the branch must exist, and HEAD of the repository follows. */
import type { Events } from '../../../platform/events/catalog.ts'
import { enqueueJobs } from '../../../platform/events/worker.ts'
import { resolveCommit, setDefaultBranch } from '../../../platform/git/index.ts'
import type { Context, Deps } from '../../../platform/kernel/context.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import { type RepositoryFacts, setRepositoryFacts } from '../../../spaces/projects/repository/facts.ts'
import { findRepository, type Stored } from '../../../spaces/projects/repository/store.ts'
import { topFilesOf } from '../files/top_files.ts'
import { branchExists } from '../queries.ts'
import { statisticsTask } from '../statistics.ts'

/**
 * Updates README and licence of a project for its new default branch, in the transaction of that change.
 * @throws Refusal 400 if the repository has no such branch
 */
export async function prepareDefaultBranch(ctx: Context, project: Stored, branch: string): Promise<void> {
  if (!(await branchExists(ctx, project, branch)))
    throw invalid({ base: [`Could not set the default branch. Do you have a branch named '${branch}' in your repository?`] })
  await setRepositoryFacts(ctx.db, project.id, await topFilesOfBranch(ctx, project, branch))
  await enqueueJobs(ctx.db, [statisticsTask(project.id, ctx.now)])
}

/** README and licence at the tip of an existing branch. */
async function topFilesOfBranch({ deps }: Pick<Context, 'deps'>, project: Stored, branch: string): Promise<RepositoryFacts> {
  const repository = await findRepository(deps.storages, project)
  const commit = repository && (await resolveCommit(repository, `refs/heads/${branch}`))
  return repository && commit ? topFilesOf(repository, commit) : { readme_path: null, license_path: null, license_key: null }
}

/** Sets HEAD to the project's current default branch; does nothing for a deleted or empty project. */
export async function alignHead({ database, storages }: Deps, { project_id }: Events['project.default_branch_changed']): Promise<void> {
  const project = await database.db
    .selectFrom('projects')
    .select(['id', 'repository_storage', 'default_branch'])
    .where('id', '=', project_id)
    .executeTakeFirst()
  if (!project?.default_branch) return
  const repository = await findRepository(storages, project)
  if (repository) await setDefaultBranch(repository, project.default_branch)
}
