/** The repositories of an imported project. */
import { join } from 'node:path'
import { wikiKeyOf } from '../../../collaboration/wikis/repository.ts'
import { listBranches } from '../../../platform/git/index.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import { createFromBundle } from '../../archives/importing/repositories.ts'

/** Makes the repositories that an archive has. @throws ArchiveRefused */
export async function fillRepositories(deps: Deps, project: ProjectRow, folder: string) {
  const { repository, head } = await createFromBundle(
    deps,
    project.repository_storage,
    { id: project.id },
    join(folder, 'project.bundle'),
    'project',
  )
  const wiki = wikiKeyOf({ project })
  await createFromBundle(deps, wiki.storage, wiki.key, join(folder, 'project.wiki.bundle'), 'wiki')
  return { repository, head }
}

/** Which repositories of a project have what people wrote before it was imported. Their rows say so; an import writes rows when all is there. */
export interface Written {
  readonly repository: boolean
  readonly wiki: boolean
}

/** Was something written to a project before it was imported? */
export async function writtenBefore(deps: Deps, project: ProjectRow): Promise<Written> {
  const row = await deps.database.db
    .selectFrom('projects')
    .innerJoin('project_statistics', 'project_statistics.project_id', 'projects.id')
    .select(['empty_repo', 'wiki_size'])
    .where('projects.id', '=', project.id)
    .executeTakeFirst()
  if (!row) return { repository: false, wiki: false }
  const repository = row.empty_repo ? undefined : await findRepository(deps.storages, project)
  return { repository: repository !== undefined && (await listBranches(repository)).length > 0, wiki: row.wiki_size > 0 }
}

/** Removes what an import has left on disk of a project that is not imported yet, and nothing that people wrote. */
export async function removeRepositories(deps: Deps, project: ProjectRow, written: Written): Promise<void> {
  const wiki = wikiKeyOf({ project })
  const [own, second] = [deps.storages.get(project.repository_storage), deps.storages.get(wiki.storage)]
  if (!written.repository) await own.remove(own.repository(project.id))
  if (!written.wiki) await second.remove(second.repository(wiki.key))
}
