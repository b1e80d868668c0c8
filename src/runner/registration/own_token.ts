/** The runner's own token: if tokens of runners expire, it is replaced before that (runner protocol, newer than 14.0). */
import type { Coordinator, OwnToken } from '../coordinator.ts'
import { ProtocolError } from '../coordinator.ts'

/** Milliseconds between checks of the token's expiry: the instance may change it. */
const ASKED_EVERY = 30 * 60_000

/** The part of a token's lifetime after which it is replaced. */
const OLD = 3 / 4

/** A token with the time since when the runner has it, in milliseconds. */
export interface HeldToken extends OwnToken {
  readonly since: number
}

interface Options {
  readonly coordinator: Pick<Coordinator, 'verify' | 'renew'>
  /** Stores a token before it is used, so that the next start finds it. */
  readonly keep: (held: HeldToken) => Promise<void>
  readonly clock: () => number
}

export class RunnerToken {
  readonly #options: Options
  #held: HeldToken
  #askedAt: number

  constructor(held: HeldToken, options: Options) {
    this.#options = options
    this.#held = held
    this.#askedAt = options.clock()
  }

  /**
   * The token to use now, replaced by a new one if most of its lifetime is over.
   * @throws ProtocolError 403 if the server does not know it any more
   */
  async use(): Promise<string> {
    const { coordinator, keep, clock } = this.#options
    if (clock() - this.#askedAt >= ASKED_EVERY) {
      const known = await coordinator.verify(this.#held.token)
      if (!known) throw new ProtocolError(403, 'verification')
      this.#held = { ...this.#held, expiresAt: known.expiresAt }
      this.#askedAt = clock()
    }
    if (this.#isOld()) {
      this.#held = { ...(await coordinator.renew(this.#held.token)), since: clock() }
      await keep(this.#held)
    }
    return this.#held.token
  }

  #isOld(): boolean {
    const { since, expiresAt } = this.#held
    if (expiresAt === null) return false
    return this.#options.clock() >= since + (Date.parse(expiresAt) - since) * OLD
  }
}
