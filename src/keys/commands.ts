/** Writes of SSH keys. */
import { uniqueViolation } from '../db/errors.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { parseKey } from './parse.ts'
import type { KeyRow } from './queries.ts'

export interface NewKey {
  readonly title: string
  /** `type base64 comment`. */
  readonly key: string
  readonly expires_at?: string | undefined
}

/** Gives a user a key; 400 when it is malformed, or somebody's already: it must lead to one person. */
export async function addKey(ctx: Context, userId: number, { title, key, expires_at }: NewKey): Promise<KeyRow> {
  const parsed = parseKey(key)
  if (!parsed) throw invalid({ key: ['is invalid'] })
  try {
    return await ctx.db
      .insertInto('keys')
      .values({
        user_id: userId,
        title,
        key: parsed.text,
        fingerprint: parsed.fingerprint,
        fingerprint_sha256: parsed.fingerprintSha256,
        expires_at: expires_at ?? null,
        created_at: ctx.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    // Contract: 400, not 409 (keys API).
    if (uniqueViolation(error) === 'keys_fingerprint_sha256_key') throw invalid({ fingerprint: ['has already been taken'] })
    throw error
  }
}

/** Takes a key away. */
export async function removeKey({ db }: Context, key: KeyRow): Promise<void> {
  await db.deleteFrom('keys').where('id', '=', key.id).execute()
}
