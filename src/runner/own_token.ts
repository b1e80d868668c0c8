/** The runner's own token while it works: where tokens of runners end, it is replaced before it does (runner protocol, newer than 14.0). */
import type { Coordinator, OwnToken } from './coordinator.ts'
import { ProtocolError } from './coordinator.ts'

/** Milliseconds after which the runner asks again when its token ends: the instance may have changed that. */
const ASKED_EVERY = 30 * 60_000

/** The part of a token's life after which it is replaced. */
const OLD = 3 / 4

/** A token with the time since when the runner has it, in milliseconds. */
export interface HeldToken extends OwnToken {
  readonly since: number
}

interface Options {
  readonly coordinator: Pick<Coordinator, 'verify' | 'renew'>
  /** Keeps a token before it is used, so that the next start finds it. */
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
   * The token to use now, replaced by another one where most of its life is over.
   * @throws ProtocolError 403 where the server does not know it any more
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
