/** The secrets that runners of a project or group register with: found by their digest, shown from their ciphertext. */
import { sql } from 'kysely'
import { anyOf } from '../db/any.ts'
import type { Context } from '../kernel/context.ts'
import { digestOf, newToken } from '../kernel/secrets.ts'

/** What a token is of, by its column. */
export type TokenHolder = 'project_id' | 'namespace_id'

/** Binds the ciphertext to its column. */
const PURPOSE = 'runners_tokens.encrypted'

/** The tokens of these projects or groups. Each gets its own when it is first asked for. At most three statements. */
export async function runnersTokensOf(ctx: Context, holder: TokenHolder, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const tokens = await existingTokens(ctx, holder, ids)
  const without = ids.filter(id => !tokens.has(id))
  if (without.length === 0) return tokens
  await addRunnersTokens(ctx, holder, without)
  // Read again: somebody else may have made one at the same moment.
  return existingTokens(ctx, holder, ids)
}

async function existingTokens({ db, deps }: Context, holder: TokenHolder, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('runners_tokens')
    .select([`${holder} as id`, 'encrypted'])
    .where(holder, '=', anyOf(ids))
    .$narrowType<{ id: number }>()
    .execute()
  return new Map(rows.map(row => [row.id, deps.secrets.decrypt(row.encrypted, PURPOSE)]))
}

/** Gives tokens to projects or groups that have none; those that have one keep it. */
export async function addRunnersTokens({ db, deps }: Context, holder: TokenHolder, ids: readonly number[]): Promise<void> {
  const made = ids.map(id => ({ id, token: newToken() }))
  await sql`insert into runners_tokens (${sql.ref(holder)}, digest, encrypted)
    select * from unnest(${made.map(({ id }) => id)}::bigint[],
                         ${made.map(({ token }) => digestOf(token))}::text[],
                         ${made.map(({ token }) => deps.secrets.encrypt(token, PURPOSE))}::text[])
        on conflict (${sql.ref(holder)}) do nothing`.execute(db)
}
