/**
 * Rate limits (document 1: 429). Counted in this process, or where the processes of a port count (counts/counters.ts), per user (per group for an identity provider) or, without credentials, per address (an IPv6
 * address by its /64); the thresholds are `INGOT_RATE_LIMIT`'s. Each answer says where the caller stands in `RateLimit-*` headers.
 */
import type { Actor } from '../../access/actor.ts'
import { networkOf } from '../../networks.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { AnswerRoom } from './bounds/answer_room.ts'
import { anonymousHolder } from './bounds/holder.ts'
import { gitLimits, liveLimits, type Slots, WorkSlots } from './bounds/work_slots.ts'
import { type Cost, pointsOf, slotOf } from './cost.ts'
import { type PasswordAttempt, PasswordAttempts } from './counts/attempts.ts'
import { type Count, type Counter, countHere, type NewCounter } from './counts/counters.ts'
import { type RefusedCaller, type RefusedCallers, RefusedHere } from './counts/refused_callers.ts'
import type { RateLimits } from './limits.ts'

/** Seconds in which the limits count. */
const WINDOW = 60

/** Work that is asked for seldom, and how often a minute a user may. Contract: the defaults of the platform (rate limits of import and export at 14.0). */
const seldom = {
  project_export: 6,
  project_download_export: 1,
  project_import: 6,
  group_export: 6,
  group_download_export: 1,
  group_import: 6,
  account_export: 2,
  account_download_export: 6,
} as const

/** What a setting of the instance limits for each user and minute: it may change at any time, so that the counters know no limit. */
const bySetting = ['issues_create_limit', 'notes_create_limit'] as const

/** What a limiter keeps its counts in. */
export interface LimiterParts {
  /** Slots for work that is limited whatever the settings. */
  readonly heavy: Slots
  readonly git: Slots
  readonly live: Slots
  readonly newCounter: NewCounter
  readonly refused: RefusedCallers
}

/** The parts of a process that counts for itself. */
export const partsHere = (): LimiterParts => ({
  heavy: new WorkSlots(),
  git: new WorkSlots(gitLimits),
  live: new WorkSlots(liveLimits),
  newCounter: countHere,
  refused: new RefusedHere(),
})

export class RateLimiter {
  /** Of this process alone: its memory is its own. */
  readonly answers = new AnswerRoom()
  readonly slots: Readonly<Record<'heavy' | 'git' | 'live', Slots>>
  readonly #limits: RateLimits | undefined
  readonly #newCounter: NewCounter
  readonly #refused: RefusedCallers
  #limiters: Record<keyof RateLimits, { readonly points: number; readonly counter: Counter }> | undefined
  #seldom: Record<keyof typeof seldom, Counter> | undefined
  #bySetting: Record<(typeof bySetting)[number], Counter>
  #passwords: PasswordAttempts

  /** @param limits undefined: no requests are counted */
  constructor(limits: RateLimits | undefined, parts: Partial<LimiterParts> = {}) {
    const { newCounter, refused, ...slots } = { ...partsHere(), ...parts }
    this.slots = slots
    this.#limits = limits
    this.#newCounter = newCounter
    this.#refused = refused
    this.#passwords = new PasswordAttempts(newCounter)
    this.#bySetting = this.#unlimited()
    this.#beginCounts()
  }

  /** Begins to count from nothing, as in a process that has just started. */
  forgetCounts(): void {
    this.#passwords = new PasswordAttempts(this.#newCounter)
    this.#refused.clear()
    this.#bySetting = this.#unlimited()
    this.#beginCounts()
  }

  #unlimited(): Record<(typeof bySetting)[number], Counter> {
    const options = { points: Number.MAX_SAFE_INTEGER, duration: WINDOW }
    return Object.fromEntries(bySetting.map(name => [name, this.#newCounter(name, options)])) as Record<(typeof bySetting)[number], Counter>
  }

  #beginCounts(): void {
    const limits = this.#limits
    if (!limits) return
    const counter = (name: string, points: number) => this.#newCounter(name, { points, duration: WINDOW })
    const ofSeldom = Object.entries(seldom).map(([name, points]) => [name, counter(name, points)])
    this.#seldom = Object.fromEntries(ofSeldom) as Record<keyof typeof seldom, Counter>
    const limiter = (name: keyof RateLimits) => ({ points: limits[name], counter: counter(name, limits[name]) })
    this.#limiters = { anonymous: limiter('anonymous'), authenticated: limiter('authenticated'), signIn: limiter('signIn') }
  }

  /** The callers who are refused at this moment, the latest first: so many of them as are kept. */
  async refused(now: Date): Promise<readonly RefusedCaller[]> {
    return this.#refused.list(now.getTime())
  }

  /** Counts a request; returns the headers to send, or throws the 429. */
  async request(actor: Actor, ip: string, cost: Cost = 'read'): Promise<Record<string, string>> {
    const name = personOf(actor) === undefined ? 'anonymous' : 'authenticated'
    return this.#count(name, callerOf(actor, ip), pointsOf[cost])
  }

  /**
   * Takes a slot for work of this cost; the returned function gives it back. Undefined for work that takes none.
   * @param signal ends the wait: the client has gone
   * @throws Refusal 429 or 503 (work_slots.ts)
   */
  async enter(cost: Cost, { actor, ip, signal }: { readonly actor: Actor; readonly ip: string; readonly signal: AbortSignal }) {
    const slot = slotOf(cost)
    return slot && this.slots[slot].enter(holderOf(actor, ip), signal)
  }

  /**
   * Takes room in memory for contents that are about to be read for the answer to a request, until its client has taken it (answer_room.ts).
   * @throws Refusal 429 or 503
   */
  answer({ actor, request }: Pick<Context, 'actor' | 'request'>, bytes: number): void {
    request.afterAnswer(this.answers.take(holderOf(actor, request.ip), bytes))
  }

  /** Counts what a user may do a few times a minute. @throws Refusal 429 */
  async often(what: keyof typeof seldom, actor: Actor, ip: string): Promise<void> {
    try {
      await this.#seldom?.[what].consume(callerOf(actor, ip))
    } catch (error) {
      if (error instanceof Error) throw error
      throw tooOften(error as Count)
    }
  }

  /** Counts what a user may do so many times a minute as a setting of the instance says, whatever the other limits. @throws Refusal 429 */
  async upTo(most: number, what: (typeof bySetting)[number], user: { readonly id: number }, times = 1): Promise<void> {
    const count = await this.#bySetting[what].consume(`user:${user.id}`, times)
    if (count.consumedPoints > most) throw tooOften(count)
  }

  /** Counts an attempt to sign in with a password for the address. */
  async signIn(ip: string): Promise<void> {
    await this.#count('signIn', `ip:${networkOf(ip)}`)
  }

  /** Checks a password unless the account has had too many wrong ones (counts/attempts.ts). */
  async password<T>(
    attempt: Omit<PasswordAttempt, 'network'> & { readonly ip: string },
    check: () => Promise<T | undefined>,
    onBan: (seconds: number, isKnown: boolean) => Promise<void>,
  ): Promise<T | undefined> {
    const counted = { ...attempt, network: networkOf(attempt.ip) }
    if (this.#limiters) return this.#passwords.judge(counted, check, onBan)
    await this.#passwords.assertUnlocked(counted)
    return check()
  }

  /** An account takes passwords again (counts/attempts.ts). `ip`: where its owner asked for it. @returns did it take none, from anywhere? */
  async unlock(account: string, ip?: string): Promise<boolean> {
    return this.#passwords.forget(account, ip === undefined ? undefined : networkOf(ip))
  }

  /** Takes an attempt back: the password was right, and the client sends it with every request (git). */
  async forgiveSignIn(ip: string): Promise<void> {
    await this.#limiters?.signIn.counter.reward(`ip:${networkOf(ip)}`)
  }

  async #count(name: keyof RateLimits, key: string, points = 1): Promise<Record<string, string>> {
    const limiter = this.#limiters?.[name]
    if (!limiter) return {}
    try {
      return headersOf(name, limiter.points, await limiter.counter.consume(key, Math.min(points, limiter.points)))
    } catch (error) {
      if (error instanceof Error) throw error
      const state = error as Count
      this.#refused.keep({ limit: name, caller: key, until: Date.now() + state.msBeforeNext })
      const headers = { ...headersOf(name, limiter.points, state), 'retry-after': String(Math.ceil(state.msBeforeNext / 1000)) }
      throw new Refusal('too_many_requests', { message: '429 Too Many Requests' }, headers)
    }
  }
}

const tooOften = ({ msBeforeNext }: Count): Refusal =>
  new Refusal(
    'too_many_requests',
    { message: { error: 'This endpoint has been requested too many times. Try again later.' } },
    { 'retry-after': String(Math.ceil(msBeforeNext / 1000)) },
  )

/** Whom requests count for: who sends them, or where they come from. */
export const callerOf = (actor: Actor, ip: string): string => personOf(actor) ?? anonymousHolder(networkOf(ip))

/**
 * Who holds the slots of a request. A bot, a deploy token and a deploy key hold those of the user who made them: with more of them nobody gets more slots.
 */
export function holderOf(actor: Actor, ip: string): string {
  const { user, sudoBy, credential } = actor
  const isOfPlaces = credential?.kind === 'deploy_token' || credential?.kind === 'deploy_key'
  const creator = isOfPlaces ? credential.creatorId : (sudoBy ?? user)?.creator_id
  return creator == null ? callerOf(actor, ip) : `user:${creator}`
}

/** Who sends requests; undefined where that is not known. */
function personOf({ user, sudoBy, credential }: Actor): string | undefined {
  if (credential?.kind === 'deploy_token' || credential?.kind === 'deploy_key') return `${credential.kind}:${credential.id}`
  if (credential?.kind === 'scim_token') return `scim:${credential.groupId}`
  if (credential?.kind === 'metrics_token') return 'metrics'
  if (credential?.kind === 'incoming_mail_token') return 'incoming mail'
  // Sudo counts for the administrator who uses it.
  const person = sudoBy ?? user
  return person && `user:${person.id}`
}

function headersOf(name: string, limit: number, state: Count): Record<string, string> {
  const reset = Math.ceil((Date.now() + state.msBeforeNext) / 1000)
  return {
    'ratelimit-name': `throttle_${name === 'signIn' ? 'sign_in' : name}`,
    'ratelimit-limit': String(limit),
    'ratelimit-observed': String(state.consumedPoints),
    'ratelimit-remaining': String(Math.max(0, state.remainingPoints)),
    'ratelimit-reset': String(reset),
    'ratelimit-resettime': new Date(reset * 1000).toUTCString(),
  }
}
