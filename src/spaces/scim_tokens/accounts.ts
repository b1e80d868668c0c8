/** How many accounts the identity provider of a group has made, at most: kept with its token, which is locked while one is made. */
import type { Db } from '../../platform/db/connection.ts'

/** Who turned on the SCIM of a group. */
export interface ScimIssuer {
  readonly enabled_by: number | null
  readonly enabled_by_admin: boolean
}

/** Counts one account more, and locks the count until the transaction ends; undefined where the limit may be reached, or nothing was counted yet. */
export const countOneAccount = (db: Db, topGroupId: number, most: number): Promise<ScimIssuer | undefined> =>
  db
    .updateTable('scim_tokens')
    .set(({ eb }) => ({ accounts_at_most: eb('accounts_at_most', '+', 1) }))
    .where('group_id', '=', topGroupId)
    .where('accounts_at_most', '<', most)
    .returning(['enabled_by', 'enabled_by_admin'])
    .executeTakeFirst()

/** Locks the count until the transaction ends; undefined where SCIM is turned off. */
export const lockedIssuer = (db: Db, topGroupId: number): Promise<ScimIssuer | undefined> =>
  db.selectFrom('scim_tokens').select(['enabled_by', 'enabled_by_admin']).where('group_id', '=', topGroupId).forUpdate().executeTakeFirst()

/** Keeps how many accounts there are, once they were counted. */
export async function keepAccountsAtMost(db: Db, topGroupId: number, accounts_at_most: number): Promise<void> {
  await db.updateTable('scim_tokens').set({ accounts_at_most }).where('group_id', '=', topGroupId).execute()
}
