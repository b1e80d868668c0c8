/** Reads of security keys and passkeys. */
import type { Db } from '../../../platform/db/connection.ts'

/** Those of an account, the oldest first. */
export const credentialsOf = (db: Db, userId: number) =>
  db
    .selectFrom('webauthn_credentials')
    .select(['id', 'credential_id', 'transports', 'passkey', 'name', 'last_used_at', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

export type CredentialRow = Awaited<ReturnType<typeof credentialsOf>>[number]

/** What signs in without a password: the passkeys of an account. */
export const passkeysOf = async (db: Db, userId: number): Promise<readonly CredentialRow[]> =>
  (await credentialsOf(db, userId)).filter(({ passkey }) => passkey)

/** The one that an authenticator calls so. */
export const credentialById = (db: Db, credentialId: string) =>
  db.selectFrom('webauthn_credentials').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
