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

/** The one that an authenticator calls so. */
export const credentialById = (db: Db, credentialId: string) =>
  db.selectFrom('webauthn_credentials').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
