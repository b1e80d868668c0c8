/** Writes of SSH keys. */

import { sql } from 'kysely'
import { requireWithin } from '../../platform/application_settings/longest_life.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { mailAccount } from '../account_mails/recipients.ts'
import { keyAdded } from '../account_mails/texts.ts'
import { parseKey } from './parse.ts'
import { type KeyRow, keyOf } from './queries.ts'
import { keyProblem } from './restrictions.ts'

export interface NewKey {
  readonly title: string
  /** `type base64 comment`. */
  readonly key: string
  readonly expires_at?: string | undefined
}

/** Adds a key to a user; 400 when it is malformed, or in use by a user or as a deploy key: a key must identify one user. */
export async function addKey(ctx: Context, userId: number, given: NewKey): Promise<KeyRow> {
  const id = await insertKey(ctx, given, { user_id: userId }, '')
  const key = (await keyOf(ctx.db, userId, id)) as KeyRow
  await recordEvent(ctx, { kind: 'key.added', payload: aboutKey(key) })
  await mailAccount(ctx, userId, keyAdded({ title: key.title, fingerprint: key.fingerprint, link: `${ctx.url}/-/profile/keys` }))
  return key
}

/**
 * Stores a public key, of a user or as a deploy key, and returns its id; 400 when it is malformed or already in use.
 * @param prefix precedes the parameter names in the messages of a refusal
 */
export async function insertKey(
  { db, now }: Context,
  { title, key, expires_at }: NewKey,
  holder: { readonly user_id: number } | { readonly public: boolean; readonly created_by: number | null },
  prefix: string,
): Promise<number> {
  const settings = await applicationSettings(db)
  requireWithin(settings.max_ssh_key_lifetime, expires_at ?? null, now)
  const parsed = parseKey(key)
  if (!parsed) throw invalid({ [`${prefix}key`]: ['is invalid'] })
  const problem = keyProblem(settings, parsed)
  if (problem !== undefined) throw invalid({ [`${prefix}key`]: [problem] })
  const { text, fingerprint, fingerprintSha256: fingerprint_sha256 } = parsed
  const stored = await db
    .insertInto('keys')
    .values({ ...holder, title, key: text, fingerprint, fingerprint_sha256, expires_at: expires_at ?? null, created_at: now })
    .onConflict(conflict => conflict.column('fingerprint_sha256').doNothing())
    .returning('id')
    .executeTakeFirst()
  // Contract: 400, not 409 (keys API).
  if (!stored) throw invalid({ [`${prefix}fingerprint`]: ['has already been taken'] })
  return stored.id
}

/** Removes a key. */
export async function removeKey(ctx: Context, key: KeyRow): Promise<void> {
  await ctx.db.deleteFrom('keys').where('id', '=', key.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'key.removed', payload: aboutKey(key) })
}

/** The audit log's description of a user's key. */
const aboutKey = ({ id, title, fingerprint, user_id }: KeyRow) => ({ id, name: `${title} (${fingerprint})`, user_id, fingerprint })

/** Changes the title of a key. */
export async function renameKey(db: Db, id: number, title: string): Promise<void> {
  await db.updateTable('keys').set({ title }).where('id', '=', id).execute()
}

/** Deletes a deploy key that no project has enabled, unless it is public; keys of users and those in use stay. */
export async function removeUnusedKey(db: Db, key: { readonly id: number } | { readonly fingerprint_sha256: string }): Promise<void> {
  await db
    .deleteFrom('keys')
    .where(({ and }) => and(key))
    .where('user_id', 'is', null)
    .where('public', '=', false)
    .where(sql<boolean>`not exists (select from deploy_key_projects links where links.key_id = keys.id)`)
    .execute()
}

/** Deletes a deploy key in all projects that have enabled it; keys of users stay. */
export async function deleteKeyOfNobody(db: Db, id: number): Promise<void> {
  await db.deleteFrom('keys').where('id', '=', id).where('user_id', 'is', null).execute()
}

/** Records the last use of a key to the minute, so that most connections cost no write. */
export async function recordKeyUse(db: Db, key: { readonly id: number; readonly last_used_at: string | null }, now: Date): Promise<void> {
  if (key.last_used_at && now.getTime() - Date.parse(key.last_used_at) < 60_000) return
  await db.updateTable('keys').set({ last_used_at: now }).where('id', '=', key.id).execute()
}
