/** The topics that the pages of this process show, known to the database, which announces changes of no others. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'

/** Minutes for which the database believes a process that says nothing more. */
const VALID = 3

/** The name of this process. */
const PROCESS = randomUUID()

/** Registers topics, or prolongs them. Resolves when changes are announced. */
export async function watch(db: Db, topics: readonly string[]): Promise<void> {
  if (topics.length === 0) return
  // In one order, so that processes that prolong theirs do not wait for each other in a circle.
  const sorted = [...topics].sort()
  await sql`
    insert into live_watches (topic, process, expires_at)
    select topic, ${PROCESS}::uuid, now() + ${VALID} * interval '1 minute' from unnest(${sorted}::text[]) as topics(topic)
    on conflict (topic, process) do update set expires_at = excluded.expires_at`.execute(db)
}

/** Forgets topics that no page shows any more, and those of processes that are gone. */
export async function unwatch(db: Db, topics: readonly string[]): Promise<void> {
  await sql`delete from live_watches where process = ${PROCESS}::uuid and topic = any(${topics}::text[]) or expires_at < now()`.execute(db)
}
