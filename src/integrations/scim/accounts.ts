/** The accounts of SCIM users: found by a verified email or created, and changed if they belong to the provider. */
import { holderOfEmail, unconfirmedHoldersOf } from '../../identity/emails/queries.ts'
import { makeUser, type UserAttributes, updateUser } from '../../identity/users/commands.ts'
import { type UserRow, userById } from '../../identity/users/queries.ts'
import { freeUsername, usernameFrom } from '../../identity/users/usernames.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import type { Changes } from './protocol/patch.ts'
import { taken } from './protocol/refusals.ts'
import { isProvisionedBy, type ScimGroup, type ScimUserRow } from './queries.ts'
import { requireDomain, requireRoomForAccount, takesExistingUser } from './rules.ts'

/** A user as the provider describes them. */
export interface Person {
  readonly userName: string
  readonly name: string
  readonly email: string
}

/** An account, and whether it was just created. */
export interface Account {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly email: string
  readonly isNew: boolean
}

/**
 * The account of a user. An existing one is used if this group's provider created it; or if its email is verified, so that
 * nobody gets the account of another user by naming an address, and the instance lets providers add such users (rules.ts). 409 if the
 * address belongs to any other account. A new account has an unverified email and no password.
 * @param isMember is the user a member of the group already?
 */
export async function accountOf(
  ctx: Context,
  group: ScimGroup,
  person: Person,
  isMember: (userId: number) => Promise<boolean>,
): Promise<Account> {
  const holder = await holderOfEmail(ctx.db, person.email)
  const unconfirmed = holder ? [] : await unconfirmedHoldersOf(ctx.db, person.email)
  if (!holder && unconfirmed.length === 0) return makeAccount(ctx, group, person)
  const holders = holder ? [holder.user_id] : unconfirmed
  const provisioned = await firstProvisionedBy(ctx.db, group, holders)
  const { id, username, name, email, kind } = (await userById(ctx.db, provisioned ?? (holders[0] as number))) as UserRow
  if (kind !== 'human' || provisioned === undefined) {
    if (kind !== 'human' || !holder) throw taken('The email address belongs to an account in which it is not verified')
    if (!(await takesExistingUser(ctx.db, () => isMember(id))))
      throw taken('The email address belongs to an account that SCIM does not add to the group')
  }
  return { id, username, name, email, isNew: false }
}

/** The first of these accounts that the provider of the group made. */
async function firstProvisionedBy(db: Db, group: ScimGroup, userIds: readonly number[]): Promise<number | undefined> {
  for (const id of userIds) if (await isProvisionedBy(db, group, id)) return id
  return undefined
}

async function makeAccount(ctx: Context, group: ScimGroup, { userName, name, email }: Person): Promise<Account> {
  await requireDomain(ctx.db, email)
  const top_group_id = group.traversal_ids[0] as number
  const charged_to = await requireRoomForAccount(ctx.db, top_group_id)
  const username = await freeUsername(ctx.db, usernameFrom(userName))
  const id = await makeUser(ctx, { username, name, email, confirmed: false })
  await ctx.db.insertInto('provisioned_users').values({ user_id: id, group_id: group.id, top_group_id, charged_to }).execute()
  return { id, username, name, email, isNew: true }
}

/** The old and new value of an attribute. */
export interface Changed {
  readonly change: 'name' | 'email' | 'username'
  readonly from: string
  readonly to: string
}

/**
 * Changes name, email and username of an account. 403 if this group's provider did not create it, or it became an administrator: the holder
 * of a group's token could otherwise take over the account of any linked user. Unchanged values are no change.
 */
export async function changeAccount(ctx: Context, group: ScimGroup, user: ScimUserRow, changes: Changes): Promise<Changed[]> {
  const { name, email } = changes
  const username = changes.userName === undefined ? undefined : await usernameAfter(ctx, user, changes.userName)
  const changed: Changed[] = []
  if (name !== undefined && name !== user.name) changed.push({ change: 'name', from: user.name, to: name })
  if (email !== undefined && !sameText(email, user.email)) changed.push({ change: 'email', from: user.email, to: email })
  if (username !== undefined && !sameText(username, user.username)) changed.push({ change: 'username', from: user.username, to: username })
  if (changed.length === 0) return []
  // Contract: the mapping table applies to provisioned accounts; a linked account is changed by its owner only.
  if (!(await isProvisionedBy(ctx.db, group, user.user_id)))
    throw forbidden('The account was not made by this provisioning: its name, email and username are the person’s own')
  const account = (await userById(ctx.db, user.user_id)) as UserRow
  // A promotion ends the provisioning (migration 0141); it is asked again here because the account carries the rights of the instance.
  if (account.admin) throw forbidden('The account is an administrator: its name, email and username are the person’s own')
  if (email !== undefined && !sameText(email, user.email)) await requireDomain(ctx.db, email)
  const attributes: UserAttributes = Object.fromEntries(changed.map(({ change, to }) => [change, to]))
  const confirmed = attributes.email === undefined ? {} : { confirmed: false }
  await updateUser(ctx, account, { ...attributes, ...confirmed })
  return changed
}

const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The username after a change of `userName`: a numeric suffix stays while another user has the name without it. */
async function usernameAfter(ctx: Context, { username }: ScimUserRow, userName: string): Promise<string> {
  const wanted = usernameFrom(userName)
  if (sameText(wanted, username) || sameText(await freeUsername(ctx.db, wanted), wanted)) return wanted
  if (sameText(username.slice(0, wanted.length), wanted) && /^\d+$/.test(username.slice(wanted.length))) return username
  throw taken('userName has already been taken')
}
