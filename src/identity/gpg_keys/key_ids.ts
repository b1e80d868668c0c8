/** Finds GPG keys by the IDs that signatures name them by. */
import { sql } from 'kysely'
import type { Database, Db } from '../../platform/db/connection.ts'
import { parseGpgKey } from './parse.ts'
import type { GpgKeyRow } from './queries.ts'

/** Keys that one ID finds, at most: anyone can make a subkey part of a key of theirs, so each has to be tried. */
const MOST_PER_ID = 4

/**
 * The keys with a primary key or subkey of these IDs (16 hex digits, lower case): one statement. The key whose own ID it is comes first, which nobody else
 * can claim, then the oldest.
 * @returns by ID
 */
export async function gpgKeysByKeyId(db: Db, keyIds: readonly string[]): Promise<ReadonlyMap<string, readonly GpgKeyRow[]>> {
  const wanted = [...new Set(keyIds)]
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<GpgKeyRow & { readonly wanted: string }>`
    select wanted.id as wanted, found.* from unnest(${wanted}::text[]) as wanted (id)
      cross join lateral (select * from gpg_keys where key_ids @> array[wanted.id]
        order by right(fingerprint, 16) = wanted.id desc, id limit ${MOST_PER_ID}) as found`.execute(db)
  return new Map(wanted.map(id => [id, rows.filter(row => row.wanted === id)]))
}

/** Databases whose keys all have their IDs. Keys that are added have them from the beginning, so that one look is enough. */
const complete = new WeakSet<Database>()

const BATCH = 200

/** Reads the IDs of keys that were added before the column was there, once for each database that the process opens. */
export async function completeKeyIds(database: Database): Promise<void> {
  if (complete.has(database)) return
  const { db } = database
  for (;;) {
    const unread = await db.selectFrom('gpg_keys').select(['id', 'key']).where('key_ids', 'is', null).orderBy('id').limit(BATCH).execute()
    for (const { id, key } of unread) {
      // A key that cannot be read is found by no ID, and not read again.
      const key_ids = [...(parseGpgKey(key)?.keyIds ?? [])]
      await db.updateTable('gpg_keys').set({ key_ids }).where('id', '=', id).execute()
    }
    if (unread.length < BATCH) break
  }
  complete.add(database)
}
