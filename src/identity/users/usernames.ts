/** Names for accounts whose name nobody chose. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Names that are tried with one statement. */
const BATCH = 20

/**
 * The name, or with the lowest number behind it that no user and no group has, in any case of letters. `db` must be a
 * transaction: until it ends, nobody else is given a name that begins with the same one.
 */
export async function freeUsername(db: Db, base: string): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended('username ' || lower(${base}), 0))`.execute(db)
  for (let first = 0; ; first += BATCH) {
    const names = Array.from({ length: BATCH }, (_, index) => (first + index === 0 ? base : `${base}${first + index}`))
    const { rows } = await sql<{ name: string }>`
      select candidates.name from unnest(${names}::text[]) with ordinality as candidates (name, place)
       where not exists (select from users where lower(username) = lower(candidates.name))
         and not exists (select from routes where lower(path) = lower(candidates.name))
       order by place limit 1`.execute(db)
    if (rows[0]) return rows[0].name
  }
}
