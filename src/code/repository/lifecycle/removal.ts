/** Removal of repositories: of deleted projects and groups, and of those without an owner. */

import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/db/connection.ts'
import type { Events } from '../../../platform/events/catalog.ts'
import type { KnownOwners, RepositoryFolder } from '../../../platform/git/index.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { FIT_TOGETHER, rowsAreMissing } from '../../../platform/object_store/unused.ts'

/** Removes the repositories of a deleted project. */
export async function removeRepository({ storages }: Deps, { project_id, repository_storage }: Events['project.deleted']): Promise<void> {
  const storage = storages.get(repository_storage)
  await storage.remove(storage.repository(project_id))
  await storage.remove(storage.repository({ id: project_id, suffix: 'wiki' }))
}

/** Removes the wikis of a deleted group and of the groups below it. */
export async function removeGroupRepositories({ storages }: Deps, { group_ids }: Events['group.deleted']): Promise<void> {
  for (const storage of storages.all())
    for (const id of group_ids) await storage.remove(storage.repository({ folder: '@groups', id, suffix: 'wiki' }))
}

/** A repository can exist before its owner's row for the length of a transaction; this is far longer. In milliseconds. */
const GRACE = 24 * 60 * 60 * 1000

/** The rows that own the repositories of each folder. */
const owners: Readonly<Partial<Record<RepositoryFolder, RawBuilder<unknown>>>> = {
  '@hashed': sql`projects`,
  '@groups': sql`namespaces`,
  '@snippets': sql`snippets`,
}

const beforeGrace = (now: () => Date): Date => new Date(now().getTime() - GRACE)

const ownersAmong =
  ({ db }: Database, table: RawBuilder<unknown>): KnownOwners =>
  async hashes => {
    const { rows } = await sql<{ hash: string }>`
      select hash from (select encode(sha256(convert_to(id::text, 'UTF8')), 'hex') as hash from ${table}) as stored
       where hash = any(${hashes})`.execute(db)
    return new Set(rows.map(row => row.hash))
  }

/** Deletes repositories without an owner, left by a rolled back creation or a crash during deletion. None where the rows are missing. */
export async function sweepRepositories(deps: Deps): Promise<void> {
  const { database, storages, now, log } = deps
  let unowned = 0
  for await (const _ of findUnownedRepositories(deps)) unowned += 1
  if (unowned === 0) return
  const counts = { unowned, all: await countRepositories(deps) }
  if (rowsAreMissing(counts)) return log.error(counts, `most repositories have no owner, so none is deleted: ${FIT_TOGETHER}`)
  for (const storage of storages.all())
    for (const [folder, table] of Object.entries(owners)) {
      const removed = await storage.removeUnknown(folder as RepositoryFolder, beforeGrace(now), ownersAmong(database, table))
      if (removed > 0) log.info({ storage: storage.name, folder, removed }, 'repositories without an owner were deleted')
    }
}

/** How many repositories there are. */
export async function countRepositories({ storages }: Pick<Deps, 'storages'>): Promise<number> {
  let count = 0
  for (const storage of storages.all()) for (const folder of Object.keys(owners)) count += await storage.count(folder as RepositoryFolder)
  return count
}

/** The paths of the repositories that `sweepRepositories` deletes. */
export async function* findUnownedRepositories({ database, storages, now }: Deps): AsyncGenerator<string, void, void> {
  for (const storage of storages.all())
    for (const [folder, table] of Object.entries(owners))
      yield* storage.findUnknown(folder as RepositoryFolder, beforeGrace(now), ownersAmong(database, table))
}
