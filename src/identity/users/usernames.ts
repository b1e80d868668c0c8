/** Generated usernames. */

import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { withoutSuffixes } from '../../platform/patterns/ends.ts'
import { pathFromName, pathProblems } from '../paths/names.ts'

/** Names that are tried per statement. */
const BATCH = 20

/**
 * The name, or the name with the lowest number that no user or group has, ignoring case. `db` must be a transaction: until it ends, no
 * other transaction gets a name with the same beginning.
 */
export async function freeUsername(db: Db, base: string): Promise<string> {
  await lockName(db, 'username', base.toLowerCase())
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

/** A username, made from one that may be an email address or in any script. */
export function usernameFrom(userName: string): string {
  const [local = ''] = userName.split('@', 1)
  if (pathProblems(local, 'top').length === 0) return local
  const made = withoutSuffixes(pathFromName(local), ['.git', '.atom', '.'])
  return pathProblems(made, 'top').length === 0 ? made : ['person', made].filter(part => part !== '').join('-')
}
