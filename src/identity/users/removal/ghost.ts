/** The ghost: the account that owns what deleted users leave behind. */
import type { Context } from '../../../platform/kernel/context.ts'
import { freeUsername } from '../usernames.ts'

/** The id of the one account of a kind that nobody signs in with; it is created on first use. `db` is a transaction. */
export async function internalAccountId(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { kind, username: wanted, name }: { readonly kind: 'ghost' | 'support_bot'; readonly username: string; readonly name: string },
): Promise<number> {
  const find = () => db.selectFrom('users').select('id').where('kind', '=', kind).orderBy('id').executeTakeFirst()
  const found = await find()
  if (found) return found.id
  const username = await freeUsername(db, wanted)
  // The transaction that held the name until now may have made the account.
  const madeMeanwhile = await find()
  if (madeMeanwhile) return madeMeanwhile.id
  const { id } = await db
    .insertInto('users')
    .values({
      username,
      name,
      // `.invalid` is reserved and never resolves (RFC 2606).
      email: `${username}@noreply.invalid`,
      kind,
      projects_limit: 0,
      can_create_group: false,
      confirmed_at: now,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The id of the ghost, which is created on first use. */
export const ghostId = (ctx: Pick<Context, 'db' | 'now'>): Promise<number> =>
  internalAccountId(ctx, { kind: 'ghost', username: 'ghost', name: 'Ghost User' })
