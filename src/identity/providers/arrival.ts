/** A person comes back from a provider, which says who they are: whose account that is, and what they may do by it. */

import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { transactOnce } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { mailOwner } from '../account_mails/recipients.ts'
import { identityLinked } from '../account_mails/texts.ts'
import { sendConfirmation, wantsConfirmation } from '../email_confirmations/links.ts'
import { holderOfEmail } from '../emails/queries.ts'
import { addIdentity, setIdentity } from '../identities/commands.ts'
import { located } from '../places/places.ts'
import { accountMadeByScim } from '../saml/group_providers.ts'
import { enter, type SignIn } from '../sessions/entry.ts'
import { assertEmailDomain } from '../sign_up/domains.ts'
import { makeUser, updateUser } from '../users/commands.ts'
import { type UserRow, userById } from '../users/queries.ts'
import { freeUsername, usernameFrom } from '../users/usernames.ts'
import type { Claims, Provider } from './provider.ts'
import { applyGroups, isAdmitted } from './roles.ts'

/** An identity that has an account, or the reason, in words, why it has none. */
type Found = { readonly identityId: number; readonly userId: number } | { readonly refused: string }

const LOST = 'This sign-in is no longer linked to your account.'

/**
 * Signs a person in: to the account of their identity; to the account that has confirmed their address, where the provider has verified it and may
 * link accounts; or to a new one. Their roles are those of their groups from now on.
 * @param ctx outside of a transaction
 */
export async function signInBy(ctx: Context, provider: Provider, given: Claims): Promise<SignIn> {
  const claims = cleaned(given)
  if (!claims) return { refused: `${provider.label} names you in a way that cannot be used here. Ask its administrators.` }
  const found = await within(ctx, async inside => {
    const identity = await identityFor(inside, provider, claims)
    if (!('refused' in identity)) await refresh(inside, provider, claims, identity)
    return identity
  })
  if ('refused' in found) return found
  // After the transaction: what such a person had by the provider is taken away.
  if (!isAdmitted(provider, claims)) return notAdmitted(provider)
  const user = await userById(ctx.db, found.userId)
  if (user?.kind !== 'human') return { refused: LOST }
  const holds = (db: Db) => isLinked(db, provider, claims.uid, found.userId)
  const isTwoFactor = provider.rules.trust_second_factor && claims.secondFactor === true
  const by = { method: `provider ${provider.name}` as const, provider: provider.name, providerSession: claims.session }
  const proof = { ...by, holds, ...(isTwoFactor && { isTwoFactor }) }
  return enter(ctx, user, proof, LOST)
}

/**
 * Links an identity to the account of the person, who is signed in to it and has confirmed that it is them.
 * @param ctx outside of a transaction
 * @returns why it is not linked, in words
 */
export async function linkBy(ctx: Context, provider: Provider, userId: number, given: Claims): Promise<{ readonly refused?: string }> {
  const claims = cleaned(given)
  if (!claims) return { refused: `${provider.label} names you in a way that cannot be used here. Ask its administrators.` }
  if (!isAdmitted(provider, claims)) return notAdmitted(provider)
  const found = await within(ctx, async inside => {
    const known = await knownIdentity(inside.db, provider, claims.uid)
    if (known && known.userId !== userId) return { refused: linkedElsewhere(provider) }
    const user = known ? undefined : await userById(inside.db, userId)
    if (!known && !user) return { refused: LOST }
    const identity = known ?? (await link(inside, provider, claims, user as UserRow))
    if (!('refused' in identity)) await refresh(inside, provider, claims, identity)
    return identity
  })
  return 'refused' in found ? found : {}
}

const notAdmitted = (provider: Provider) => ({
  refused: `Your account at ${provider.label} may not be used here: it is in none of the groups that may.`,
})

/** Runs in a transaction; a refusal of a command undoes it and becomes its words. */
async function within(ctx: Context, work: (ctx: Context) => Promise<Found>): Promise<Found> {
  try {
    return await transactOnce(ctx.deps.database.db, db => work({ ...ctx, db }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    ctx.log.info({ err: error }, 'a provider names a person for whom no account can be made')
    return { refused: 'No account can be made with the name and address that the provider gives. Ask an administrator.' }
  }
}

const LONGEST = 255

/** Of an address, as everywhere else. */
const LONGEST_ADDRESS = 254

/** Control characters, and halves of characters: in no name, and NUL fits in no column. */
const unfit = /[\p{Cc}\p{Cs}]/u

/** The claims with names in which nothing is that cannot be kept; undefined where what identifies the person is such. */
function cleaned(claims: Claims): Claims | undefined {
  const { uid, username, name, email, groups } = claims
  if (uid === '' || uid.length > LONGEST || unfit.test(uid)) return undefined
  const plain = (text: string | undefined) =>
    text
      ?.replace(/[\p{Cc}\p{Cs}]/gu, '')
      .trim()
      .slice(0, LONGEST) || undefined
  const address = email?.trim()
  return {
    ...claims,
    username: plain(username),
    name: plain(name),
    email: address === undefined || address === '' || address.length > LONGEST_ADDRESS || unfit.test(address) ? undefined : address,
    groups: groups.filter(group => group !== '' && group.length <= LONGEST && !unfit.test(group)),
  }
}

/** Of two first sign-ins of one identity the second waits, and finds what the first has made. */
async function knownIdentity(db: Db, provider: Provider, uid: string): Promise<Exclude<Found, { refused: string }> | undefined> {
  await lockName(db, 'identity', provider.name, uid)
  return db
    .selectFrom('identities')
    .select(['id as identityId', 'user_id as userId'])
    .where('provider', '=', provider.name)
    .where('extern_uid', '=', uid)
    .executeTakeFirst()
}

const isLinked = async (db: Db, provider: Provider, uid: string, userId: number): Promise<boolean> =>
  (await db
    .selectFrom('identities')
    .select('id')
    .where('provider', '=', provider.name)
    .where('extern_uid', '=', uid)
    .where('user_id', '=', userId)
    .executeTakeFirst()) !== undefined

async function identityFor(ctx: Context, provider: Provider, claims: Claims): Promise<Found> {
  const known = await knownIdentity(ctx.db, provider, claims.uid)
  if (provider.ofGroup) return identityOfGroup(ctx, provider, claims, known)
  if (known) return known
  if (!isAdmitted(provider, claims)) return notAdmitted(provider)
  const { label, rules } = provider
  const { email } = claims
  const holder = email === undefined ? undefined : await holderOfEmail(ctx.db, email)
  if (holder && rules.auto_link_user && claims.emailVerified) {
    const user = await userById(ctx.db, holder.user_id)
    if (user?.kind === 'human') return link(ctx, provider, claims, user)
  }
  if (!rules.allow_single_sign_on)
    return { refused: `Your account at ${label} is linked to no account here. Sign in another way, and link it in your settings.` }
  if (holder) return { refused: `An account here has your address already. Sign in to it another way, and link ${label} in your settings.` }
  if (email === undefined) return { refused: `${label} does not give your email address, which an account here needs.` }
  return make(ctx, provider, claims, email)
}

/**
 * The provider of a group opens the account alone that the SCIM of the group has made for the person. Any other belongs to a person who signs in to it
 * in their own way: the owners of a group could otherwise sign in to the accounts of its members.
 */
async function identityOfGroup(ctx: Context, provider: Provider, claims: Claims, known: Found | undefined): Promise<Found> {
  const groupId = provider.ofGroup?.id ?? 0
  const userId = await accountMadeByScim(ctx.db, groupId, claims.uid)
  const user = userId === undefined ? undefined : await userById(ctx.db, userId)
  if (user?.kind !== 'human') return { refused: `Sign in to your account first. Then sign in to the group with ${provider.label}.` }
  if (known) return 'userId' in known && known.userId === userId ? known : { refused: linkedElsewhere(provider) }
  // Their id there has changed: SCIM knows the new one.
  await setIdentity(ctx, user.id, { provider: provider.name, extern_uid: claims.uid, saml_provider_id: provider.ofGroup?.samlProviderId })
  return (await knownIdentity(ctx.db, provider, claims.uid)) ?? { refused: LOST }
}

const linkedElsewhere = ({ label }: Provider) => `This account at ${label} is linked to another account here.`

/** An account has one identity at a provider. */
async function link(ctx: Context, provider: Provider, { uid }: Claims, user: UserRow): Promise<Found> {
  const { db, request } = ctx
  await db.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute()
  const other = await db
    .selectFrom('identities')
    .select('id')
    .where('user_id', '=', user.id)
    .where('provider', '=', provider.name)
    .executeTakeFirst()
  if (other) return { refused: `Your account here is linked to another account at ${provider.label}.` }
  const identityId = await addIdentity(ctx, {
    user_id: user.id,
    provider: provider.name,
    extern_uid: uid,
    saml_provider_id: provider.ofGroup?.samlProviderId,
  })
  const from = await located(ctx.deps, request.ip)
  await mailOwner(ctx, user, identityLinked({ username: user.username, provider: provider.label, from }))
  return { identityId, userId: user.id }
}

/** An account whose address the provider has verified is confirmed; one that waits for an approval is confirmed by that. */
async function make(ctx: Context, { name: provider, rules }: Provider, claims: Claims, email: string): Promise<Found> {
  const waits = rules.block_auto_created_users
  const settings = await applicationSettings(ctx.db)
  assertEmailDomain(settings, email)
  const username = await freeUsername(ctx.db, usernameFrom(claims.username ?? email))
  const userId = await makeUser(ctx, {
    username,
    name: claims.name ?? claims.username ?? username,
    email,
    external: rules.external,
    awaitsApproval: waits,
    confirmed: claims.emailVerified && !waits,
    provider,
    extern_uid: claims.uid,
  })
  if (!claims.emailVerified && wantsConfirmation(ctx, settings))
    await sendConfirmation(ctx, { user: (await userById(ctx.db, userId)) as UserRow, email, as: 'first' })
  const { id } = await ctx.db
    .selectFrom('identities')
    .select('id')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirstOrThrow()
  return { identityId: id, userId }
}

/** What follows from each sign-in: the roles of the groups, and that the address is theirs, once the provider says so. */
async function refresh(ctx: Context, provider: Provider, claims: Claims, by: Exclude<Found, { refused: string }>): Promise<void> {
  const { db } = ctx
  await db.selectFrom('users').select('id').where('id', '=', by.userId).forUpdate().execute()
  const user = await userById(db, by.userId)
  if (user?.kind !== 'human') return
  await applyGroups(ctx, provider, claims, by, user)
  const isTheirs = claims.emailVerified && claims.email?.toLowerCase() === user.email.toLowerCase()
  if (user.confirmed_at === null && user.state === 'active' && isTheirs && !(await holderOfEmail(db, user.email)))
    await updateUser(ctx, user, { confirmed: true })
}
