/**
 * Credentials that were proved a while ago, looked up again. A connection, a short-lived token or a long exchange goes on only while the
 * credential that it began with holds: not revoked, not expired, its user still there and as they are now.
 */
import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { type Actor, type Credential, lacksSecondFactor, provenMachine, provenUser } from './actor.ts'
import { findActingUser, sessionNow } from './credentials/credentials.ts'
import { deployKeyCreator } from './credentials/deploy_keys.ts'
import { endDayOf, isInForce } from './credentials/lifetimes.ts'
import type { TokenScope } from './credentials/token_scopes.ts'

/**
 * What names a credential, without what it opens: that is read when it is looked up. Those of jobs and deploy tokens come with every request,
 * and nothing goes on by them.
 */
export type CredentialName =
  | {
      readonly kind: 'personal_access_token' | 'oauth_token' | 'ssh_key' | 'deploy_key'
      readonly id: number
    }
  /**
   * `id` is that of the user, `ends` the end of the certificate in milliseconds since 1970, `mark` what it can be revoked by
   * (identity/keys/authorities.ts).
   */
  | { readonly kind: 'ssh_certificate'; readonly id: number; readonly ends: number; readonly mark: string }
  /** `proof` says which password of the user it was (`passwordProof`, `identityProof`). */
  | { readonly kind: 'password'; readonly id: number; readonly proof: string }

/** What tells one password of a user from the next: a digest of its stored digest. */
export const passwordProof = (passwordDigest: string): string =>
  createHash('sha256').update(`password-proof ${passwordDigest}`).digest('base64url').slice(0, 22)

/** The same for a password that a provider has checked: it holds as long as the account is linked there. */
export const identityProof = ({ provider, extern_uid }: { readonly provider: string; readonly extern_uid: string }): string =>
  createHash('sha256').update(`identity-proof ${provider} ${extern_uid}`).digest('base64url').slice(0, 22)

/** The name of what an actor proved themselves with; undefined for those who proved nothing, and for credentials of another kind. */
export function credentialNameOf({ user, credential }: Actor): CredentialName | undefined {
  if (!credential) return undefined
  switch (credential.kind) {
    case 'password':
      return user && { kind: 'password', id: user.id, proof: credential.proof }
    case 'ssh_certificate':
      return user && { kind: 'ssh_certificate', id: user.id, ends: credential.ends, mark: credential.mark }
    case 'personal_access_token':
    case 'oauth_token':
    case 'ssh_key':
    case 'deploy_key':
      return { kind: credential.kind, id: credential.id }
    default:
      return undefined
  }
}

/**
 * The actor whom a credential stands for now, in whatever state their account is; undefined once the credential has ended.
 */
export async function currentActor(db: Db, name: CredentialName, now: Date): Promise<Actor | undefined> {
  const found = await lookups[name.kind](db, name, now)
  if (!found) return undefined
  const { userId, credential } = found
  if (userId === null) return provenMachine(credential)
  const user = await findActingUser(db, String(userId))
  return user && provenUser(user, credential)
}

/**
 * Whom a session stands for now, by the id of its row, in whatever state their account is; undefined once it has ended, or its user should have set up
 * a second factor.
 * @param impersonates whether the instance lets administrators act as others
 */
export async function actorOfSession(db: Db, id: number, now: Date, impersonates: boolean): Promise<Actor | undefined> {
  const found = await sessionNow(db, id, now, impersonates)
  const actor = found && provenUser(found.user, found.credential, found.sudoBy)
  return actor && !lacksSecondFactor(actor, now) ? actor : undefined
}

/** A credential that holds, and whose it is; null for a machine's. */
interface LiveCredential {
  readonly userId: number | null
  readonly credential: Credential
}

type Lookup = (db: Db, name: CredentialName, now: Date) => Promise<LiveCredential | undefined>

async function rowOf<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row | undefined> {
  return (await statement.execute(db)).rows[0]
}

const lookups: Record<CredentialName['kind'], Lookup> = {
  async personal_access_token(db, { id }, now) {
    const row = await rowOf(
      db,
      sql<{ user_id: number; scopes: TokenScope[]; impersonation: boolean }>`
        select user_id, scopes, impersonation from personal_access_tokens t
         where id = ${id} and not revoked and coalesce(${endDayOf('personal_access_tokens.digest', 't')} > ${now}::timestamptz::date, true)`,
    )
    return (
      row && {
        userId: row.user_id,
        credential: { kind: 'personal_access_token', id, scopes: row.scopes, impersonation: row.impersonation },
      }
    )
  },
  async oauth_token(db, { id }, now) {
    const row = await rowOf(
      db,
      sql<{ user_id: number; scopes: TokenScope[] }>`
        select user_id, scopes from oauth_access_tokens t
         where id = ${id} and revoked_at is null and ${isInForce('oauth_access_tokens.digest', 't', now)}`,
    )
    return row && { userId: row.user_id, credential: { kind: 'oauth_token', id, scopes: row.scopes, impersonation: false } }
  },
  async ssh_key(db, { id }, now) {
    const row = await keyRow(db, id, now)
    return row && row.user_id !== null ? { userId: row.user_id, credential: { kind: 'ssh_key', id } } : undefined
  },
  async ssh_certificate(_db, name, now) {
    if (name.kind !== 'ssh_certificate' || name.ends <= now.getTime()) return undefined
    return { userId: name.id, credential: { kind: 'ssh_certificate', ends: name.ends, mark: name.mark } }
  },
  async deploy_key(db, { id }, now) {
    const row = await keyRow(db, id, now)
    if (!row || row.user_id !== null) return undefined
    return { userId: null, credential: { kind: 'deploy_key', id, creatorId: await deployKeyCreator(db, id) } }
  },
  async password(db, name) {
    const row = await rowOf(
      db,
      sql<{ password_digest: string | null; identities: { provider: string; extern_uid: string }[] }>`
        select password_digest,
               (select coalesce(json_agg(json_build_object('provider', provider, 'extern_uid', extern_uid)), '[]')
                  from identities where user_id = users.id) as identities
          from users where id = ${name.id} and not two_factor_enabled`,
    )
    if (name.kind !== 'password' || !row) return undefined
    const { password_digest: digest, identities } = row
    const { proof } = name
    const isKeptHere = digest !== null && proof === passwordProof(digest)
    if (!isKeptHere && !identities.some(identity => proof === identityProof(identity))) return undefined
    return { userId: name.id, credential: { kind: 'password', proof, isKeptHere } }
  },
}

/** A key that has not ended. */
const keyRow = (db: Db, id: number, now: Date) =>
  rowOf(
    db,
    sql<{ user_id: number | null }>`select k.user_id from keys k where k.id = ${id} and ${isInForce('keys.fingerprint_sha256', 'k', now)}`,
  )
