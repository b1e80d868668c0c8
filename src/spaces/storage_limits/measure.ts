/** What a project stores, as it is now. */
import type { Db } from '../../platform/db/connection.ts'
import { repositorySize } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { findRepository, type Stored } from '../projects/repository/store.ts'
import { attachedBytes } from './queries.ts'

/** Bytes on disk of what git keeps for a project. */
async function repositoryBytes({ storages }: Pick<Deps, 'storages'>, project: Stored): Promise<number> {
  const repository = await findRepository(storages, project)
  return repository ? repositorySize(repository) : 0
}

/** Bytes that a project stores: its repository on disk, and the files beside it. */
export const storedIn = async (means: Pick<Deps, 'storages'>, db: Db, project: Stored): Promise<number> =>
  (await attachedBytes(db, project.id)) + (await repositoryBytes(means, project))
