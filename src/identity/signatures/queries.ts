/** Reads of who signs: the owners of keys with their addresses, and SSH keys by what signatures say of them. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { type KeyRow, keysByFingerprint } from '../keys/queries.ts'
import type { SummaryRow } from '../users/queries.ts'

/** The owner of a key. */
export interface Signer extends SummaryRow {
  /** Their confirmed addresses, and the one that takes no mail, in small letters. */
  readonly emails: readonly string[]
}

/** Owners by id: one statement. */
export async function signersById(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Signer>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<Signer>`
    select u.id, u.name, u.username, u.state, u.avatar_url,
           array_remove(array[case when u.confirmed_at is not null then lower(u.email) end, lower(private_commit_email(u.id, u.username))], null)
             || array(select lower(e.email) from emails e where e.user_id = u.id and e.confirmed_at is not null) as emails
      from users u where u.id = ${anyOf(wanted)}`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}

/** SSH keys of users by SHA-256 fingerprint, in base64 without padding: one statement. */
export async function sshKeysByFingerprint(db: Db, fingerprints: readonly string[]): Promise<ReadonlyMap<string, KeyRow>> {
  const wanted = [...new Set(fingerprints)]
  const rows = wanted.length === 0 ? [] : await keysByFingerprint(db, wanted).execute()
  return new Map(rows.map(row => [row.fingerprint_sha256, row]))
}
