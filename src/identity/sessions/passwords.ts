/** Password authentication: the one place where a login and a password become a user. The password is the one kept here, or a directory's. */

import { identityProof, passwordProof } from '../../platform/access/current_actor.ts'
import { type AuditOrigin, originWithoutRequest } from '../../platform/events/audit/entry.ts'
import type { SignInMethod } from '../../platform/events/audit/kinds.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { type Context, systemContext } from '../../platform/kernel/context.ts'
import { whyInactive } from '../../platform/kernel/request/authenticate.ts'
import { digestOf, hashPassword, hasPresentCost, newLongToken, verifyPassword } from '../../platform/kernel/secrets.ts'
import { networkOf } from '../../platform/networks.ts'
import { mailOwner } from '../account_mails/recipients.ts'
import { signInsPaused } from '../account_mails/texts.ts'
import { located } from '../places/places.ts'
import { providersOf } from '../providers/file.ts'
import { type Claims, type Provider, ProviderFailed } from '../providers/provider.ts'
import { directoryFilters, isAdmitted } from '../providers/roles.ts'
import { lockAccount, renewPasswordDigest } from '../users/passwords/kept.ts'
import { identitiesOf, type UserRow, userByIdentity, userByLogin } from '../users/queries.ts'
import { accountName, lockOf, unlockLink } from './locks/locks.ts'

/** The inputs of an attempt. */
export type Attempt = Pick<Context, 'db' | 'deps'> & { readonly request: AuditOrigin['request'] }

/** A digest of no user's password, computed once. */
let nobodys: Promise<string> | undefined

/** Who gave a password that is right. */
export type Proven =
  /** By the password that is kept here. */
  | { readonly user: UserRow }
  /** By a directory. */
  | { readonly provider: Provider; readonly claims: Claims }
  /** Nobody. `unreachable`: a directory did not answer, in words. */
  | { readonly unreachable: string | undefined }

/**
 * Who has this username or email, or name in a directory, and this password; for a name that nobody has and a wrong password after the same
 * time, as far as this server decides it. Counts as an attempt to sign in from the request's address and, if it fails, for the account; a failure
 * is in the audit log.
 * @param method where the password was given
 * @throws Refusal 429 after too many attempts
 */
export async function provenByPassword(ctx: Attempt, login: string, password: string, method: SignInMethod): Promise<Proven> {
  await ctx.deps.limiter.signIn(ctx.request.ip)
  const user = await userByLogin(ctx.db, login.trim())
  // One name for all ways to write its letters: failures count for it.
  const name = login.trim().normalize('NFC')
  const account = user ? accountName(user.id) : `login ${digestOf(name.toLowerCase())}`
  let unreachable: string | undefined
  const proven = await attempted(
    ctx,
    { account, user, method, lockedFor: lockOf(user, ctx.deps.now()) },
    async (): Promise<Proven | undefined> => {
      const digest = user?.kind === 'human' ? user.password_digest : null
      nobodys ??= hashPassword(newLongToken().reveal())
      const right = await verifyPassword(password, digest ?? (await nobodys))
      if (user && digest !== null && right)
        return { user: hasPresentCost(digest) ? user : { ...user, password_digest: await renewDigest(ctx, user.id, password, digest) } }
      const found = await provenByDirectory(ctx, user, name, password)
      if ('claims' in found) return found
      unreachable = found.unreachable
      return undefined
    },
  )
  return proven ?? { unreachable }
}

type FoundByDirectory = Exclude<Proven, { readonly user: UserRow }>

/**
 * Asks the directories, in the order of the file of providers. Each is asked whatever account has the name here: else the time of an answer would say
 * whether one has. One that does not answer counts as a wrong password, so that passwords are not tried without number meanwhile.
 */
async function provenByDirectory(
  { db, deps }: Attempt,
  user: UserRow | undefined,
  login: string,
  password: string,
): Promise<FoundByDirectory> {
  const unreachable: string[] = []
  const providers = providersOf(deps.config).filter(({ kind }) => kind.directory)
  const known = providers.length > 0 && user ? await identitiesOf(db, [user.id]) : undefined
  for (const provider of providers) {
    const uid = user && known?.get(user.id)?.find(identity => identity.provider === provider.name)?.extern_uid
    try {
      const filters = await directoryFilters.value(db, provider.name)
      const claims = await provider.kind.directory?.byPassword(provider, { login, uid }, password, filters)
      if (claims) return { provider, claims }
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error
      deps.log.warn({ err: error, provider: provider.name }, 'a directory cannot be asked')
      unreachable.push(error.message)
    }
  }
  return { unreachable: unreachable.length === 0 ? undefined : unreachable.join(' ') }
}

/** An account that a password has proven. */
export interface ProvenAccount {
  readonly user: UserRow
  /** Is it the password that is kept here, and not that of a directory? */
  readonly isKeptHere: boolean
  /** What tells this way of proving it from another, for as long as it holds (platform/access/current_actor.ts). */
  readonly proof: string
}

/** The account that a login and a password prove; undefined where they prove none. The rest is that of `provenByPassword`. */
export async function accountByPassword(
  ctx: Attempt,
  login: string,
  password: string,
  method: SignInMethod,
): Promise<ProvenAccount | undefined> {
  const proven = await provenByPassword(ctx, login, password, method)
  if ('user' in proven) return { user: proven.user, isKeptHere: true, proof: passwordProof(proven.user.password_digest ?? '') }
  if (!('claims' in proven)) return undefined
  const { claims, provider } = proven
  const identity = { provider: provider.name, extern_uid: claims.uid }
  const user = isAdmitted(provider, claims) ? await userByIdentity(ctx.db, identity) : undefined
  return user?.kind === 'human' ? { user, isKeptHere: false, proof: identityProof(identity) } : undefined
}

/** The user of such an account. */
export const userByPassword = async (...given: Parameters<typeof accountByPassword>): Promise<UserRow | undefined> =>
  (await accountByPassword(...given))?.user

/**
 * Checks a second factor. Counts as an attempt from the request's address and, if it fails, for the account, apart from its passwords; a failure is in
 * the audit log.
 * @param check undefined where it is wrong
 * @throws Refusal 429 after too many attempts
 */
export async function secondFactorAttempt<T>(
  ctx: Attempt,
  user: UserRow,
  method: SignInMethod,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  await ctx.deps.limiter.signIn(ctx.request.ip)
  return attempted(ctx, { account: `second factor of user ${user.id}`, user, method }, check)
}

interface Attempted {
  /** What failures count for. */
  readonly account: string
  readonly user: UserRow | undefined
  readonly method: SignInMethod
  /** Milliseconds for which it is locked. */
  readonly lockedFor?: number
}

function attempted<T>(
  ctx: Attempt,
  { account, user, method, lockedFor = 0 }: Attempted,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { ip } = ctx.request
  const recorded = async () => {
    const proven = await check()
    if (proven === undefined) await recordFailure(ctx, user, method)
    return proven
  }
  return ctx.deps.limiter.password({ account, ip, isKnown: isKnown(user, ip), lockedFor }, recorded, (seconds, known) =>
    noteBan(ctx, { user, method, seconds, known }),
  )
}

/** A password that was right is kept with the cost of today, unless it was changed meanwhile. @returns the digest that is kept now */
const renewDigest = async ({ deps }: Attempt, userId: number, password: string, digest: string): Promise<string> =>
  renewPasswordDigest(deps.database.db, userId, { from: digest, to: await hashPassword(password) })

/** Did the user's last sign-ins come from this network? */
export const isKnown = (user: UserRow | undefined, ip: string): boolean =>
  [user?.current_sign_in_ip, user?.last_sign_in_ip].some(known => known && networkOf(known) === networkOf(ip))

/**
 * Written immediately: the transaction of the request, if it has one, is rolled back. For unknown accounts too, which then takes the same
 * time.
 */
async function recordFailure({ deps, request }: Attempt, user: UserRow | undefined, method: SignInMethod): Promise<void> {
  const origin = { ...originWithoutRequest(deps.now(), undefined), request }
  const payload = { user_id: user?.id ?? null, method }
  await recordEvent({ db: deps.database.db, ...origin }, { kind: 'sign_in.failed', payload })
}

/** Milliseconds for which one mail about a pause is enough. */
const DAY = 24 * 60 * 60 * 1000

/** An account that is closed from now on. */
interface Ban {
  readonly user: UserRow | undefined
  readonly method: SignInMethod
  readonly seconds: number
  /** Only for a network that is known. */
  readonly known: boolean
}

/** The account accepts no passwords for a while: the log records it, and the audit log if the account exists, whose owner gets a mail, one a day. */
async function noteBan({ deps, request }: Attempt, { user, method, seconds, known }: Ban): Promise<void> {
  deps.log.warn({ user_id: user?.id, ip: request.ip, method, seconds }, 'too many wrong passwords or codes for one account')
  if (!user) return
  const { db } = deps.database
  // A network that is known has a count of its own, and codes have one: the others go on.
  const until = new Date(deps.now().getTime() + seconds * 1000)
  const locks = !known && method !== 'second_factor'
  if (locks) await lockAccount(db, user.id, until)
  const before = await db
    .selectFrom('audit_events')
    .select('id')
    .where('entity_type', '=', 'User')
    .where('entity_id', '=', user.id)
    .where('kind', '=', 'sign_in.banned')
    .where('created_at', '>', new Date(deps.now().getTime() - DAY).toISOString())
    .limit(1)
    .executeTakeFirst()
  const origin = { ...originWithoutRequest(deps.now(), undefined), request }
  const payload = { user_id: user.id, minutes: Math.round(seconds / 60), of: method === 'second_factor' ? 'codes' : 'passwords' } as const
  await recordEvent({ db: deps.database.db, ...origin }, { kind: 'sign_in.banned', payload })
  if (before) return
  const context = systemContext(deps, db)
  const link = locks ? unlockLink(context, user.id, until) : undefined
  const from = await located(deps, request.ip)
  await mailOwner(context, user, signInsPaused({ username: user.username, from, ...payload, link }))
}

/** Records a sign-in in the audit log. */
export const recordSignIn = ({ db, now, request }: Context, { id }: UserRow, method: SignInMethod): Promise<void> =>
  recordEvent({ db, ...originWithoutRequest(now, id), request }, { kind: 'session.started', payload: { user_id: id, method } })

/** The reason, as a message, why a user may not sign in although the password is right; undefined if they may. */
export const whyNoSignIn = (user: Pick<UserRow, 'state' | 'confirmed_at'>): string | undefined => whyInactive(user) ?? whyUnconfirmed(user)

/** The same for the unconfirmed email address alone. */
export const whyUnconfirmed = ({ confirmed_at }: Pick<UserRow, 'confirmed_at'>): string | undefined =>
  confirmed_at === null ? 'You have to confirm your email address before continuing.' : undefined
