/** Wikis of imported groups. */
import { join } from 'node:path'
import { wikiKeyOf } from '../../../collaboration/wikis/repository.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { createFromBundle } from '../../archives/importing/repositories.ts'

/** Did people write pages before the group was imported? Their rows say so; an import writes none. */
export async function wasWikiWritten(db: Db, groupId: number): Promise<boolean> {
  const page = await db.selectFrom('wiki_pages').select('id').where('namespace_id', '=', groupId).limit(1).executeTakeFirst()
  return page !== undefined
}

/** Removes what an import has left on disk of a group that is not imported. */
export async function removeWiki({ storages }: Pick<Deps, 'storages'>, groupId: number): Promise<void> {
  const { storage, key } = wikiKeyOf({ group: { id: groupId } })
  await storages.get(storage).remove(storages.get(storage).repository(key))
}

/** Makes the wiki of a group of the bundle that the archive has of it. @throws ArchiveRefused */
export async function importWiki(deps: Deps, groupId: number, folder: string, archivedId: number): Promise<void> {
  const { storage, key } = wikiKeyOf({ group: { id: groupId } })
  await createFromBundle(deps, storage, key, join(folder, 'repositories', `${archivedId}.wiki.bundle`), 'wiki')
}
