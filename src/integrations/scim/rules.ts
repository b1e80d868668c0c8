/** What the administrators of the instance let identity providers do (application settings `scim_*`). */
import { sql } from 'kysely'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { refused } from './refusals.ts'

/** 400 for an address of a domain that accounts made by providers may not have. */
export async function requireDomain(db: Db, email: string): Promise<void> {
  const { scim_email_domains: domains } = await applicationSettings(db)
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (domains.length > 0 && !domains.some(allowed => allowed.toLowerCase() === domain))
    throw refused('invalidValue', 'Addresses of this domain are not allowed for accounts made by SCIM')
}

/**
 * 403 where the top-level group has as many accounts made by SCIM as the instance allows. Whoever makes another one at the same time
 * waits until this transaction ends.
 */
export async function requireRoomForAccount(db: Db, topGroupId: number): Promise<void> {
  await db.selectFrom('scim_tokens').select('group_id').where('group_id', '=', topGroupId).forUpdate().execute()
  const { scim_accounts_per_group: most } = await applicationSettings(db)
  const { made } = await db
    .selectFrom('provisioned_users')
    .innerJoin('namespaces', 'namespaces.id', 'provisioned_users.group_id')
    .select(({ fn }) => fn.countAll<number>().as('made'))
    .where(sql<boolean>`namespaces.traversal_ids @> array[${topGroupId}::bigint]`)
    .executeTakeFirstOrThrow()
  if (made >= most) throw forbidden(`The group has made ${made} accounts by SCIM, and ${most} is the limit`)
}

/** May a user who has an account that no provider of the group made be brought into the group? */
export async function takesExistingUser(db: Db, isMember: () => Promise<boolean>): Promise<boolean> {
  const { scim_existing_users: rule } = await applicationSettings(db)
  return rule === 'verified' || (rule === 'members' && (await isMember()))
}
