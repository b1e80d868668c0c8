/**
 * Failed passwords, counted for each account (counters.ts). After too many the account takes no password for a while, and for longer each
 * time that this happens in a day. Sessions, tokens and keys go on, and so do passwords from a network where the account's password was right
 * before: that network has a count of its own, so that nobody locks an account's owner out from elsewhere.
 */
import { Refusal } from '../../errors.ts'
import { type Counter, countHere, type NewCounter } from './counters.ts'

/** Failures that an account has in `WINDOW` before it is closed. */
export const MAX_FAILURES = 10

/** Seconds. */
const WINDOW = 10 * 60
const FIRST_BAN = 10 * 60
const LONGEST_BAN = 60 * 60
const DAY = 24 * 60 * 60
/** A network is known for as long as a timer can run. */
const KNOWN = 24 * DAY

/** An attempt to prove an account by its password. */
export interface PasswordAttempt {
  /** The account, or the login where there is none: both are closed alike, so that nobody learns which accounts exist. */
  readonly account: string
  readonly network: string
  /** Has the account been signed in to from this network before, as far as it is kept? */
  readonly isKnown: boolean
  /** Milliseconds for which the account is locked, by this process or another; none where it is not. */
  readonly lockedFor?: number
}

/** An account that takes no password from now on: from a network that is known, or from all others. */
interface Closing {
  readonly seconds: number
  readonly isKnown: boolean
  readonly onBan: (seconds: number, isKnown: boolean) => Promise<void>
}

export class PasswordAttempts {
  readonly #failures: Counter
  readonly #bans: Counter
  readonly #proven: Counter
  /** Accounts that are closed to a network that is known, for as long as to the last of them. */
  readonly #closedNetworks: Counter
  /** How often an account was forgiven: its known networks count from nothing with each, for a counter cannot list them. */
  readonly #pardons: Counter
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(newCounter: NewCounter = countHere) {
    this.#failures = newCounter('password_failures', { points: MAX_FAILURES, duration: WINDOW })
    this.#bans = newCounter('password_bans', { points: 1, duration: DAY })
    this.#proven = newCounter('proven_networks', { points: 1, duration: KNOWN })
    this.#closedNetworks = newCounter('closed_networks', { points: 1, duration: LONGEST_BAN })
    this.#pardons = newCounter('password_pardons', { points: 1, duration: DAY })
  }

  /**
   * Checks a password. Attempts for one account take turns in a process, so that attempts at the same time are counted like those one after another.
   * @param check undefined where the password is wrong
   * @param onBan called with the seconds for which the account is closed from now on
   * @throws Refusal 429 while it is closed; the password is not looked at then
   */
  async judge<T>(
    attempt: PasswordAttempt,
    check: () => Promise<T | undefined>,
    onBan: (seconds: number, isKnown: boolean) => Promise<void>,
  ): Promise<T | undefined> {
    const { account } = attempt
    const isKnown = await this.#isKnown(attempt)
    this.#assertUnlocked(attempt, isKnown)
    const key = isKnown ? `${hereOf(attempt)} ${await this.#pardonsOf(account)}` : account
    return this.#inTurn(key, async () => {
      const state = await this.#failures.get(key)
      if (state && state.consumedPoints >= MAX_FAILURES) throw closed(state.msBeforeNext)
      const proved = await check()
      if (proved === undefined) await this.#fail(key, seconds => this.#close(account, { seconds, isKnown, onBan }))
      else if (!isKnown) await this.#proven.set(hereOf(attempt), 1, KNOWN)
      return proved
    })
  }

  /** @throws Refusal 429 for a locked account, but from networks that are known: nobody locks its owner out from elsewhere */
  async assertUnlocked(attempt: PasswordAttempt): Promise<void> {
    this.#assertUnlocked(attempt, await this.#isKnown(attempt))
  }

  #assertUnlocked({ lockedFor = 0 }: PasswordAttempt, isKnown: boolean): void {
    if (lockedFor > 0 && !isKnown) throw closed(lockedFor)
  }

  /**
   * Takes passwords again, from everywhere: its owner has proven who they are, or an administrator wants it.
   * @param network from which the owner asked for it, which is known from now on
   * @returns were none taken from anywhere?
   */
  async forget(account: string, network?: string): Promise<boolean> {
    const state = await this.#failures.get(account)
    const wasClosed = (state !== null && state.consumedPoints >= MAX_FAILURES) || (await this.#closedNetworks.get(account)) !== null
    await this.#failures.delete(account)
    await this.#closedNetworks.delete(account)
    // What was counted before ends within a day, and never counts again: the number begins again a day after the last pardon.
    await this.#pardons.set(account, (await this.#pardonsOf(account)) + 1, DAY)
    if (network !== undefined) await this.#proven.set(hereOf({ account, network }), 1, KNOWN)
    return wasClosed
  }

  async #pardonsOf(account: string): Promise<number> {
    return (await this.#pardons.get(account))?.consumedPoints ?? 0
  }

  async #close(account: string, { seconds, isKnown, onBan }: Closing): Promise<void> {
    const before = isKnown ? await this.#closedNetworks.get(account) : null
    if (isKnown && (before?.msBeforeNext ?? 0) < seconds * 1000) await this.#closedNetworks.set(account, 1, seconds)
    await onBan(seconds, isKnown)
  }

  async #isKnown(attempt: PasswordAttempt): Promise<boolean> {
    return attempt.isKnown || (await this.#proven.get(hereOf(attempt))) !== null
  }

  async #fail(key: string, onBan: (seconds: number) => Promise<void>): Promise<void> {
    const { consumedPoints } = await this.#failures.penalty(key)
    if (consumedPoints < MAX_FAILURES) return
    const bans = (await this.#bans.penalty(key)).consumedPoints
    const seconds = Math.min(FIRST_BAN * 2 ** (bans - 1), LONGEST_BAN)
    await this.#failures.block(key, seconds)
    await onBan(seconds)
  }

  async #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(key) ?? Promise.resolve()
    const turn = before.then(work, work)
    this.#turns.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key)
    }
  }
}

const hereOf = ({ account, network }: Pick<PasswordAttempt, 'account' | 'network'>): string => `${account} ${network}`

function closed(milliseconds: number): Refusal {
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(milliseconds / 1000))) }
  return new Refusal('too_many_requests', { message: '429 Too many wrong passwords for this account. Try again later.' }, headers)
}
