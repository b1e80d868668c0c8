/**
 * A cache of runners as of their last request. The database announces every change of a runner (migration `queue_announcements`) and of
 * the lifetime of tokens, which wakes waiting runners; so a runner that polls repeatedly without a result needs no query of its row.
 * The cache is empty while the process is not subscribed.
 */
import type { Database } from '../../../platform/db/connection.ts'
import type { Log } from '../../../platform/db/log.ts'
import { digestOf } from '../../../platform/kernel/secrets.ts'
import { NOTED_EVERY, noteContacts } from '../../runners/access.ts'
import type { RunnerRow } from '../../runners/queries.ts'

/** Maximum size; beyond it the runner with the oldest request is evicted. */
const MOST = 20_000

export class KnownRunners {
  readonly #database: Database
  readonly #log: Log
  /** By the digest of their tokens, least recently used first. */
  readonly #runners = new Map<string, RunnerRow>()
  readonly #digests = new Map<number, string>()
  /** Times of contacts that are not written yet. */
  #met = new Map<number, Date>()
  #writing: NodeJS.Timeout | undefined

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  /** The runner of this token, if it has not changed since its last request and the token has not expired. */
  ofToken(token: string, now: Date): RunnerRow | undefined {
    const known = this.#runners.get(digestOf(token))
    const hasEnded = known?.token_expires_at != null && Date.parse(known.token_expires_at) <= now.getTime()
    return hasEnded ? undefined : known
  }

  /** Caches a runner as it was just read. */
  remember(token: string, runner: RunnerRow): void {
    this.forget(runner.id)
    const digest = digestOf(token)
    this.#runners.set(digest, runner)
    this.#digests.set(runner.id, digest)
    const [oldest] = this.#runners.values()
    if (oldest && this.#runners.size > MOST) this.forget(oldest.id)
  }

  forget(id: number): void {
    const digest = this.#digests.get(id)
    this.#digests.delete(id)
    if (digest !== undefined) this.#runners.delete(digest)
  }

  forgetAll(): void {
    this.#runners.clear()
    this.#digests.clear()
  }

  /** Records that a cached runner has sent a request: the contacts of a minute are written by one statement. */
  meet({ id }: RunnerRow, now: Date): void {
    this.#met.set(id, now)
    this.#writing ??= setTimeout(() => void this.write(), NOTED_EVERY).unref()
  }

  /** Writes the recorded contacts. */
  async write(): Promise<void> {
    clearTimeout(this.#writing)
    this.#writing = undefined
    const met = this.#met
    this.#met = new Map()
    if (met.size === 0) return
    await noteContacts(this.#database.db, met).catch(error => this.#log.warn({ err: error }, 'when runners asked could not be written'))
  }
}
