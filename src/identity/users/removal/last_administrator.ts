/** The instance keeps an administrator: without one nobody could give the role to another account. */
import type { Db } from '../../../platform/db/connection.ts'
import { lockName } from '../../../platform/db/statements/named_locks.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'

/**
 * Is the account the only administrator who can act? Its row is locked, and the number of the others stays as it is until the transaction ends.
 * @param db a transaction
 */
export async function isLastAdministrator(db: Db, userId: number): Promise<boolean> {
  const user = await db.selectFrom('users').select(['admin', 'state']).where('id', '=', userId).forUpdate().executeTakeFirst()
  if (!user?.admin || user.state !== 'active') return false
  // Of two who go at the same time the second one sees that the first is gone.
  await lockName(db, 'administrators')
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('id', '!=', userId)
    .where('admin', '=', true)
    .where('state', '=', 'active')
    .where('kind', '=', 'human')
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}

/** @throws Refusal 403 where the account is the only administrator who can act */
export async function assertNotLastAdministrator(db: Db, userId: number): Promise<void> {
  if (await isLastAdministrator(db, userId))
    throw forbidden('The last administrator stays one: make another account an administrator first')
}
