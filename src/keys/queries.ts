/** Reads of SSH keys. */
import type { Db } from '../db/connection.ts'

const keys = (db: Db) => db.selectFrom('keys').selectAll()

export type KeyRow = Awaited<ReturnType<ReturnType<typeof keys>['executeTakeFirstOrThrow']>>

/** The keys of a user. */
export const keysOf = (db: Db, userId: number) => keys(db).where('user_id', '=', userId).orderBy('id')

/** One key of a user. */
export const keyOf = (db: Db, userId: number, id: number) => keys(db).where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()

/** The key with this id, whoever has it. */
export const keyById = (db: Db, id: number) => keys(db).where('id', '=', id).executeTakeFirst()

/** The key with this fingerprint: MD5 with colons, with or without `MD5:` before it, or `SHA256:` and base64. */
export function keyByFingerprint(db: Db, fingerprint: string): Promise<KeyRow | undefined> {
  const sha256 = /^sha256:([^=]+)=*$/i.exec(fingerprint)?.[1]
  const found =
    sha256 === undefined
      ? keys(db).where('fingerprint', '=', fingerprint.replace(/^md5:/i, '').toLowerCase())
      : keys(db).where('fingerprint_sha256', '=', sha256)
  return found.executeTakeFirst()
}
