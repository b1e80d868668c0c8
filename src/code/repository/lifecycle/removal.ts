/** Removal of repositories: of deleted projects, and of those without a project. */

import { sql } from 'kysely'
import type { Events } from '../../../platform/events/catalog.ts'
import type { Deps } from '../../../platform/kernel/context.ts'

/** Removes the repositories of a deleted project. */
export async function removeRepository({ storages }: Deps, { project_id, repository_storage }: Events['project.deleted']): Promise<void> {
  const storage = storages.get(repository_storage)
  await storage.remove(storage.repository(project_id))
  await storage.remove(storage.repository(project_id, 'wiki'))
}

/** A repository can exist before its project's row for the length of a transaction; this is far longer. In milliseconds. */
const GRACE = 24 * 60 * 60 * 1000

/** Deletes repositories without a project, left by a rolled back creation or a crash during deletion. */
export async function sweepRepositories({ database, storages, now, log }: Deps): Promise<void> {
  const before = new Date(now().getTime() - GRACE)
  for (const storage of storages.all()) {
    const removed = await storage.removeUnknown(before, async hashes => {
      const { rows } = await sql<{ hash: string }>`
        select hash from (select encode(sha256(convert_to(id::text, 'UTF8')), 'hex') as hash from projects) as stored
         where hash = any(${hashes})`.execute(database.db)
      return new Set(rows.map(row => row.hash))
    })
    if (removed > 0) log.info({ storage: storage.name, removed }, 'repositories without a project were deleted')
  }
}
