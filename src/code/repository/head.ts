/** HEAD of a repository follows the project's default branch. */
import type { Events } from '../../platform/events/events.ts'
import { setDefaultBranch } from '../../platform/git/storage/storage.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'

/** Makes HEAD name the default branch that the project has now; does nothing for a project that is gone or empty. */
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
