/** Reads of the SSH keys of users. Keys without an owner are deploy keys (code/deploy_keys/queries.ts). */
import type { NotNull } from 'kysely'
import { endOf, isInForce } from '../../platform/access/credentials/lifetimes.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

const columns = ['id', 'user_id', 'title', 'key', 'fingerprint', 'fingerprint_sha256', 'last_used_at', 'created_at'] as const

const keys = (db: Db) =>
  db
    .selectFrom('keys')
    .select([...columns, endOf('keys.fingerprint_sha256', 'keys').as('expires_at')])
    .where('user_id', 'is not', null)
    .$narrowType<{ user_id: NotNull }>()

export type KeyRow = Awaited<ReturnType<ReturnType<typeof keys>['executeTakeFirstOrThrow']>>

/** The keys of a user. */
export const keysOf = (db: Db, userId: number) => keys(db).where('user_id', '=', userId).orderBy('id')

/** One key of a user. */
export const keyOf = (db: Db, userId: number, id: number) => keys(db).where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()

/** The key with this id, of any user. */
export const keyById = (db: Db, id: number) => keys(db).where('id', '=', id).executeTakeFirst()

/** The keys of users with these fingerprints: SHA-256 in base64 without padding. */
export const keysByFingerprint = (db: Db, fingerprints: readonly string[]) => keys(db).where('fingerprint_sha256', '=', anyOf(fingerprints))

/** The key with this fingerprint, of a user or a deploy key: MD5 with colons, with or without `MD5:` before it, or `SHA256:` and base64. */
export function keyByFingerprint(db: Db, fingerprint: string) {
  const keys = db
    .selectFrom('keys')
    .select(['keys.id', 'keys.user_id', 'keys.created_by', 'keys.title', 'keys.key', 'keys.created_at'])
    .select(endOf('keys.fingerprint_sha256', 'keys').as('expires_at'))
  const sha256 = /^sha256:([^=]+)=*$/i.exec(fingerprint)?.[1]
  const found =
    sha256 === undefined
      ? keys.where('keys.fingerprint', '=', fingerprint.replace(/^md5:/i, '').toLowerCase())
      : keys.where('keys.fingerprint_sha256', '=', sha256)
  return found.executeTakeFirst()
}

export type FoundKey = NonNullable<Awaited<ReturnType<typeof keyByFingerprint>>>

const currentKeys = (db: Db, now: Date) =>
  db
    .selectFrom('keys')
    .select(['id', 'key', 'user_id', 'last_used_at'])
    .where(isInForce('keys.fingerprint_sha256', 'keys', now))

/** The key of an SSH connection, a user's or a deploy key, by its SHA-256 fingerprint; undefined once it has expired. */
export const connectingKey = (db: Db, fingerprintSha256: string, now: Date) =>
  currentKeys(db, now).where('fingerprint_sha256', '=', fingerprintSha256).executeTakeFirst()

export type ConnectingKey = NonNullable<Awaited<ReturnType<typeof connectingKey>>>
