/** The ghost: the account that owns what deleted users leave behind. */
import type { Context } from '../../../platform/kernel/context.ts'
import { freeUsername } from '../usernames.ts'

/** The id of the ghost, which is created on first use. */
export async function ghostId({ db, now }: Pick<Context, 'db' | 'now'>): Promise<number> {
  const found = await db.selectFrom('users').select('id').where('kind', '=', 'ghost').orderBy('id').executeTakeFirst()
  if (found) return found.id
  const username = await freeUsername(db, 'ghost')
  const { id } = await db
    .insertInto('users')
    .values({
      username,
      name: 'Ghost User',
      // `.invalid` is reserved and never resolves (RFC 2606).
      email: `${username}@noreply.invalid`,
      kind: 'ghost',
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
