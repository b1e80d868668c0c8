/**
 * An account with too many wrong passwords takes none for a while, in all processes, but from networks where it was signed in to. Sessions, tokens and
 * keys go on. Its owner ends the lock by a link; nothing is kept of it: it is a signature of the lock, and says nothing once the lock has ended.
 */
import { transact } from '../../../platform/db/transact.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import { mailOwner, personByEmail } from '../../account_mails/recipients.ts'
import { signInsPaused } from '../../account_mails/texts.ts'
import { located } from '../../places/places.ts'
import { unlockAccount } from '../../users/passwords/kept.ts'
import { type UserRow, userById } from '../../users/queries.ts'

/** The address of the page that the link opens, and the parameter with its secret. */
export const UNLOCK = '/users/unlock'
export const TOKEN = 'unlock_token'

/** What wrong passwords of an account are counted under. */
export const accountName = (userId: number): string => `user ${userId}`

/** Milliseconds for which an account is locked still; 0 where it is not. */
export const lockOf = (user: Pick<UserRow, 'locked_until'> | undefined, now: Date): number =>
  user?.locked_until == null ? 0 : Math.max(0, Date.parse(user.locked_until) - now.getTime())

const PURPOSE = 'users.locked_until'

/** The link that ends the lock which ends then. */
export const unlockLink = ({ deps, url }: Pick<Context, 'deps' | 'url'>, userId: number, until: Date): string => {
  const subject = `${userId}.${until.getTime()}`
  return `${url}${UNLOCK}?${TOKEN}=${subject}.${deps.secrets.sign(subject, PURPOSE)}`
}

/** The account and the end of the lock that a link is of; undefined for one that this instance did not make. */
function lockOfLink({ deps }: Pick<Context, 'deps'>, token: string): { readonly userId: number; readonly until: Date } | undefined {
  const [, subject = '', userId = '', until = '', signature = ''] = /^((\d{1,15})\.(\d{1,15}))\.([\w-]{1,100})$/.exec(token) ?? []
  if (subject === '' || !deps.secrets.verify(subject, PURPOSE, signature)) return undefined
  return { userId: Number(userId), until: new Date(Number(until)) }
}

/** The account that a link would unlock; undefined where it was used, has ended or is none. */
export async function lockedByLink(ctx: Pick<Context, 'db' | 'deps' | 'now'>, token: string): Promise<UserRow | undefined> {
  const lock = lockOfLink(ctx, token)
  const user = lock && (await userById(ctx.db, lock.userId))
  return user && lockOf(user, ctx.now) > 0 && Date.parse(user.locked_until as string) === lock.until.getTime() ? user : undefined
}

/**
 * Unlocks the account of a link; of several at the same time one wins. Passwords are then taken from the network of this request whatever others do.
 * @throws Refusal 400 for a link that was used, has ended or is none; 429 after too many attempts from one network
 */
export async function unlockByLink(ctx: Context, token: string): Promise<UserRow> {
  await ctx.deps.limiter.signIn(ctx.request.ip)
  const user = await lockedByLink(ctx, token)
  if (!user || !(await unlockAccount(ctx.db, user.id, new Date(user.locked_until as string)))) throw noLink()
  await recordUnlock(ctx, user.id)
  await ctx.deps.limiter.unlock(accountName(user.id), ctx.request.ip)
  return user
}

/** The owner has proven who they are, and is where this request comes from. */
export async function unlockOwner(ctx: Context, userId: number): Promise<void> {
  await unlock(ctx, userId, ctx.request.ip)
}

const noLink = () => invalid({ base: ['This link was used before, or has ended.'] })

/** An administrator unlocks an account, for the networks that are known too; false where it was not locked. */
export const unlockByAdministrator = (ctx: Context, user: UserRow): Promise<boolean> => unlock(ctx, user.id)

/** @param ip where the owner is, if it is they who unlock it @returns was it locked, for all networks or for one that is known? */
async function unlock(ctx: Context, id: number, ip?: string): Promise<boolean> {
  const wasClosed = await ctx.deps.limiter.unlock(accountName(id), ip)
  const unlocked = (await unlockAccount(ctx.db, id)) || wasClosed
  if (unlocked) await recordUnlock(ctx, id)
  return unlocked
}

const recordUnlock = (ctx: Context, id: number): Promise<void> => recordEvent(ctx, { kind: 'user.unlocked', payload: { user_id: id } })

/**
 * Asks for the link. The request does the same for every address: nobody learns who has an account, or a locked one.
 * @throws Refusal 429 after too many from one network
 */
export async function requestUnlock(ctx: Context, email: string): Promise<void> {
  await ctx.deps.limiter.signIn(ctx.request.ip)
  await enqueue(ctx.db, 'send_unlock', { email: email.trim(), ip: ctx.request.ip })
}

/** Writes the mail with the link, if the address is confirmed, and its account locked. */
export async function sendUnlock(deps: Deps, { email, ip }: { readonly email: string; readonly ip: string }): Promise<void> {
  await transact(deps.database.db, async db => {
    const ctx = systemContext(deps, db)
    const person = await personByEmail(db, email)
    const user = person && (await userById(db, person.userId))
    const milliseconds = lockOf(user, ctx.now)
    if (!user || milliseconds === 0) return
    const until = new Date(user.locked_until as string)
    // One mail that waits for each lock is enough, however often it is asked for.
    const waits = await db
      .selectFrom('mails')
      .select('id')
      .where('user_id', '=', user.id)
      .where('expires_at', '=', until.toISOString())
      .executeTakeFirst()
    if (waits) return
    const minutes = Math.ceil(milliseconds / 60_000)
    await mailOwner(ctx, user, {
      ...signInsPaused({
        username: user.username,
        from: await located(deps, ip),
        minutes,
        of: 'passwords',
        link: unlockLink(ctx, user.id, until),
      }),
      expiresAt: until,
    })
  })
}
