/** What one request reads from repositories, and the texts that it renders: one thing after the other, in one slot for expensive work, and so much at the most. */
import { GraphQLError } from 'graphql'
import type { Context } from '../../../platform/kernel/context.ts'

/** Most that one request may read, and what it is called. */
const limits = {
  files: { most: 100, sentence: 'At most 100 files can be asked for in a request' },
  bytes: { most: 20 * 1024 * 1024, sentence: 'The texts of the files have more than 20 MB: ask for fewer in a request' },
  texts: { most: 1_500_000, sentence: 'The texts to be shown as HTML have more than 1500000 characters: ask for fewer in a request' },
  entries: { most: 200_000, sentence: 'The directories have more than 200000 entries: ask for fewer in a request' },
} as const

export class RepositoryWork {
  readonly #ctx: Pick<Context, 'actor' | 'deps' | 'request'>
  readonly #counts = { files: 0, bytes: 0, texts: 0, entries: 0 }
  #slot: Promise<(() => void) | undefined> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(ctx: Pick<Context, 'actor' | 'deps' | 'request'>) {
    this.#ctx = ctx
  }

  /**
   * Counts what is about to be read.
   * @throws GraphQLError when the request reads more than it may
   */
  count(what: keyof typeof limits, number: number): void {
    const { most, sentence } = limits[what]
    this.#counts[what] += number
    if (this.#counts[what] > most) throw new GraphQLError(sentence, { extensions: { code: `TOO_MANY_${what.toUpperCase()}` } })
  }

  /**
   * Does expensive work when what was asked for before is done.
   * @throws Refusal where there is no slot for the request
   */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { actor, deps, request } = this.#ctx
    this.#slot ??= deps.limiter.enter('heavy', { actor, ...request })
    const slot = this.#slot
    const done = Promise.all([slot, this.#last]).then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  /** Gives the slot back, when nothing is under way any more. Work that comes later takes another one. */
  async end(): Promise<void> {
    await this.#last
    const slot = this.#slot
    this.#slot = undefined
    const release = await slot?.catch(() => undefined)
    release?.()
  }
}
