/** The limits that administrators of the instance set for identity providers (application settings `scim_*`). */

import { sql } from 'kysely'
import { roles } from '../../platform/access/abilities.ts'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { countOneAccount, keepAccountsAtMost, lockedIssuer, type ScimIssuer } from '../../spaces/scim_tokens/accounts.ts'
import { refused } from './protocol/refusals.ts'

/** 400 for an email of a domain that accounts of providers may not have. */
export async function requireDomain(db: Db, email: string): Promise<void> {
  const { scim_email_domains: domains } = await applicationSettings(db)
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (domains.length > 0 && !domains.some(allowed => allowed.toLowerCase() === domain))
    throw refused('invalidValue', 'Addresses of this domain are not allowed for accounts made by SCIM')
}

/**
 * 403 where the top-level group, or the user who turned on its SCIM, has as many accounts made by SCIM as the instance allows. Accounts count
 * for as long as they exist, whatever becomes of the group. Other requests that make an account of the same group or user wait until this
 * transaction ends.
 * @returns the user whose count the account is; null where an administrator turned SCIM on
 */
export async function requireRoomForAccount(db: Db, topGroupId: number): Promise<number | null> {
  const { scim_accounts_per_group: mostOfGroup, scim_accounts_per_owner: mostOfOwner } = await applicationSettings(db)
  const token = (await countOneAccount(db, topGroupId, mostOfGroup)) ?? (await countedAgain(db, topGroupId, mostOfGroup))
  if (token.enabled_by_admin || token.enabled_by === null) return null
  const owner = await chargedInsteadOf(db, token.enabled_by)
  await lockName(db, 'SCIM accounts of an owner', owner)
  const ofOwner = await accountsOf(db, 'charged_to', owner, mostOfOwner)
  if (ofOwner >= mostOfOwner)
    throw forbidden(`The groups of the user who turned on SCIM have made as many accounts as they may: ${mostOfOwner} is the limit`)
  return owner
}

/**
 * 403 unless the user who made the token could make it today: an active owner of the top-level group, or an administrator. They have seen it, and could
 * otherwise give themselves and others the group's roles after they left. Not asked where access is taken away, so that people who leave are
 * switched off meanwhile.
 */
export async function requireIssuer(db: Db, topGroupId: number): Promise<void> {
  const { rows } = await sql`
    select from scim_tokens t join users u on u.id = t.enabled_by
     where t.group_id = ${topGroupId} and u.state = 'active'
       and (u.admin or exists (
         select from memberships m
          where m.namespace_id = t.group_id and m.user_id = u.id and m.access_level = ${roles.owner} and ${isCurrentMembership()}))`.execute(
    db,
  )
  if (rows.length === 0) throw forbidden('The user who made the token is not an owner of this group any more: an owner has to renew it')
}

/** An account created by SCIM has no quota of its own: accounts could otherwise create others without bound. */
async function chargedInsteadOf(db: Db, userId: number): Promise<number> {
  const made = await db.selectFrom('provisioned_users').select('charged_to').where('user_id', '=', userId).executeTakeFirst()
  return made?.charged_to ?? userId
}

/** Counts the accounts that there are, and one more. @throws Refusal 403 at the limit, or where SCIM is turned off */
async function countedAgain(db: Db, topGroupId: number, most: number): Promise<ScimIssuer> {
  const issuer = await lockedIssuer(db, topGroupId)
  if (!issuer) throw forbidden('The SCIM of this group is turned off')
  const made = await accountsOf(db, 'top_group_id', topGroupId, most)
  if (made >= most) throw forbidden(`The group has made as many accounts by SCIM as it may: ${most} is the limit`)
  await keepAccountsAtMost(db, topGroupId, made + 1)
  return issuer
}

/** Accounts that a group or user has made, counted up to a bound. */
async function accountsOf(db: Db, holder: 'top_group_id' | 'charged_to', id: number, most: number): Promise<number> {
  const { made } = await db
    .selectFrom(db.selectFrom('provisioned_users').select('user_id').where(holder, '=', id).limit(most).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('made'))
    .executeTakeFirstOrThrow()
  return made
}

/** May a user with an account that no provider of the group created be added to the group? */
export async function takesExistingUser(db: Db, isMember: () => Promise<boolean>): Promise<boolean> {
  const { scim_existing_users: rule } = await applicationSettings(db)
  return rule === 'verified' || (rule === 'members' && (await isMember()))
}
