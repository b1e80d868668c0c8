/** Signs tokens that other servers verify with the public keys of the instance (RFC 7515, RFC 7519). */

import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type JWTPayload,
  SignJWT,
} from 'jose'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { transact } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { Secret } from '../../platform/secret.ts'
import { currentKey, PUBLISHED_DAYS } from './queries.ts'

/** The algorithm of all signatures: the one that every OpenID Connect client knows. */
export const ALGORITHM = 'RS256'

/** Binds the ciphertext to its column. */
const PURPOSE = 'signing_keys.private_key'

/** Private keys as they were read last; the id of a key is its digest, so that it always means the same key. */
const imported = new Map<string, Promise<CryptoKey>>()
const IMPORTED = 16

type KeyContext = Pick<Context, 'db' | 'deps'>

/** Makes a signed token of claims. */
export type TokenSigner = (claims: JWTPayload) => Promise<Secret>

/** Signs with the current key of the instance, which is looked up once for any number of tokens. */
export async function tokenSigner(ctx: KeyContext): Promise<TokenSigner> {
  const { kid, private_key } = (await currentKey(ctx.db)) ?? (await ensureSigningKey(ctx.deps))
  const key = await privateKey(ctx, kid, private_key)
  return async claims => new Secret(await new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' }).sign(key))
}

function privateKey(ctx: KeyContext, kid: string, private_key: string): Promise<CryptoKey> {
  let key = imported.get(kid)
  if (!key) {
    key = importPKCS8(ctx.deps.secrets.decrypt(private_key, PURPOSE).reveal(), ALGORITHM)
    imported.set(kid, key)
    if (imported.size > IMPORTED) imported.delete(imported.keys().next().value as string)
  }
  return key
}

/** Makes the first key of an instance, unless there is one. In a transaction of its own, which nobody waits for long. */
export const ensureSigningKey = async (deps: Deps): Promise<{ readonly kid: string; readonly private_key: string }> =>
  (await currentKey(deps.database.db)) ??
  (await transact(deps.database.db, async db => {
    await lockKeys(db)
    return (await currentKey(db)) ?? insertKey(db, deps, deps.now())
  }))

/**
 * Signs with a new key from now on. The former private key is deleted; the public one stays published for as long as a token that it has
 * signed can live. Returns the id of the new key.
 */
export const rotateSigningKey = (deps: Deps): Promise<string> =>
  transact(deps.database.db, async db => {
    const ctx = systemContext(deps, db)
    await lockKeys(db)
    await db.updateTable('signing_keys').set({ private_key: null, retired_at: ctx.now }).where('retired_at', 'is', null).execute()
    const { kid, id } = await insertKey(db, deps, ctx.now)
    await recordEvent(ctx, { kind: 'signing_key.rotated', payload: { id, name: kid } })
    return kid
  })

/** Deletes the keys that are published no more. */
export const sweepSigningKeys = (db: Db, now: Date) =>
  db
    .deleteFrom('signing_keys')
    .where('retired_at', '<', new Date(now.getTime() - PUBLISHED_DAYS * 86_400_000).toISOString())
    .execute()

const lockKeys = (db: Db) => lockName(db, 'signing keys')

async function insertKey(db: Db, { secrets }: Deps, now: Date) {
  const pair = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  const public_key = { ...jwk, kid, use: 'sig', alg: ALGORITHM }
  const private_key = secrets.encrypt(await exportPKCS8(pair.privateKey), PURPOSE)
  const { id } = await db
    .insertInto('signing_keys')
    .values({ kid, public_key: JSON.stringify(public_key), private_key, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, kid, private_key }
}
