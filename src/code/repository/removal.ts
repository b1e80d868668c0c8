/** The end of repositories: with their project, and of those that belong to none. */
import { sql } from 'kysely'
import type { Events } from '../../platform/events/events.ts'
import type { Deps } from '../../platform/kernel/context.ts'

/** Removes the repositories of a project that has been deleted. */
export async function removeRepository({ storages }: Deps, { project_id, repository_storage }: Events['project.deleted']): Promise<void> {
  const storage = storages.get(repository_storage)
  await storage.remove(storage.repository(project_id))
  await storage.remove(storage.repository(project_id, 'wiki'))
}

/** A repository may be older than its project's row by the length of a transaction; this is far longer. In milliseconds. */
const GRACE = 24 * 60 * 60 * 1000

/** Deletes repositories that belong to no project: what a rolled back creation, or a crash while deleting, has left. */
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
