/** Reads of the keys that sign tokens. */
import { type NotNull, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Days for which a retired key is published: longer than the longest timeout of a job, whose tokens live as long as it may run. */
export const PUBLISHED_DAYS = 31

/** The key that signs; undefined before the first start. */
export const currentKey = (db: Db) =>
  db
    .selectFrom('signing_keys')
    .select(['id', 'kid', 'private_key'])
    .where('retired_at', 'is', null)
    .$narrowType<{ private_key: NotNull }>()
    .executeTakeFirst()

/** A public key of RS256 as a JSON Web Key (RFC 7517). */
export interface PublicKey {
  readonly kty: 'RSA'
  readonly kid: string
  readonly e: string
  readonly n: string
  readonly use: 'sig'
  readonly alg: 'RS256'
}

/** The public keys by which tokens can be verified, the current one first. */
export async function publishedKeys(db: Db, now: Date): Promise<PublicKey[]> {
  const { rows } = await sql<{ public_key: PublicKey }>`
    select public_key from signing_keys
     where retired_at is null or retired_at > ${now}::timestamptz - ${PUBLISHED_DAYS} * interval '1 day'
     order by id desc`.execute(db)
  return rows.map(({ public_key }) => public_key)
}
