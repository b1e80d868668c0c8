/** The repositories of an imported project. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { wikiKeyOf } from '../../../collaboration/wikis/repository.ts'
import { listBranches, type Repository, type RepositoryKey } from '../../../platform/git/index.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { findRepository, initialBranch } from '../../../spaces/projects/repository/store.ts'
import { fillFromBundle, refsOfBundle } from './repositories.ts'

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  )

async function fill(
  deps: Deps,
  storage: string,
  key: RepositoryKey,
  path: string,
  relation: string,
): Promise<{ repository?: Repository; head?: string }> {
  if (!(await isFile(path))) return {}
  const chosen = await refsOfBundle(path, relation)
  const { head } = chosen
  const repository = await deps.storages.get(storage).create(key, {
    defaultBranch: head ?? (await initialBranch(deps.database.db)),
    fill: made => fillFromBundle(made, path, chosen, relation),
  })
  return { repository, ...(head !== undefined && { head }) }
}

/** Makes the repositories that an archive has. @throws ArchiveRefused */
export async function fillRepositories(deps: Deps, project: ProjectRow, folder: string) {
  const { repository, head } = await fill(deps, project.repository_storage, { id: project.id }, join(folder, 'project.bundle'), 'project')
  const wiki = wikiKeyOf({ project })
  await fill(deps, wiki.storage, wiki.key, join(folder, 'project.wiki.bundle'), 'wiki')
  return { repository, head }
}

/** Was the project pushed to before it was imported? It shows a repository already then, which is not the import's. */
export async function wasPushedTo(deps: Deps, project: ProjectRow): Promise<boolean> {
  const row = await deps.database.db.selectFrom('projects').select('empty_repo').where('id', '=', project.id).executeTakeFirst()
  if (!row || row.empty_repo) return false
  const repository = await findRepository(deps.storages, project)
  return repository !== undefined && (await listBranches(repository)).length > 0
}

/** Removes what an import has left on disk of a project that is not imported yet. */
export async function removeRepositories(deps: Deps, project: ProjectRow): Promise<void> {
  const wiki = wikiKeyOf({ project })
  const [own, second] = [deps.storages.get(project.repository_storage), deps.storages.get(wiki.storage)]
  await own.remove(own.repository(project.id))
  await second.remove(second.repository(wiki.key))
}
