/**
 * Runners as they were when they last asked. The database announces every change of a runner (migration `queue_announcements`) and of how
 * long tokens live, and who waits is woken by it; so a runner that asks again and again for what is not there needs no look at its row.
 * Nothing is known while nothing is heard.
 */
import type { Database } from '../../../platform/db/connection.ts'
import type { Log } from '../../../platform/db/log.ts'
import { digestOf } from '../../../platform/kernel/secrets.ts'
import { NOTED_EVERY, noteContacts } from '../../runners/access.ts'
import type { RunnerRow } from '../../runners/queries.ts'

/** Runners that are known at most; then whoever has not asked for the longest time is forgotten. */
const MOST = 20_000

export class KnownRunners {
  readonly #database: Database
  readonly #log: Log
  /** By the digest of their tokens, in the order in which they asked last. */
  readonly #runners = new Map<string, RunnerRow>()
  readonly #digests = new Map<number, string>()
  /** When runners were met that nobody has written down yet. */
  #met = new Map<number, Date>()
  #writing: NodeJS.Timeout | undefined

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  /** The runner of this token, if it has not changed since it asked last and the token has not ended. */
  ofToken(token: string, now: Date): RunnerRow | undefined {
    const known = this.#runners.get(digestOf(token))
    const hasEnded = known?.token_expires_at != null && Date.parse(known.token_expires_at) <= now.getTime()
    return hasEnded ? undefined : known
  }

  /** Keeps a runner as it was just read, in the place of what was known of it. */
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

  /** Has it noted that a known runner has asked: all of a minute are written by one statement. */
  meet({ id }: RunnerRow, now: Date): void {
    this.#met.set(id, now)
    this.#writing ??= setTimeout(() => void this.write(), NOTED_EVERY).unref()
  }

  /** Writes down who was met. */
  async write(): Promise<void> {
    clearTimeout(this.#writing)
    this.#writing = undefined
    const met = this.#met
    this.#met = new Map()
    if (met.size === 0) return
    await noteContacts(this.#database.db, met).catch(error => this.#log.warn({ err: error }, 'when runners asked could not be written'))
  }
}
