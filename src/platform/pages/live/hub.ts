/**
 * The open streams of one process, by topic. The database announces changes of watched topics; each stream is notified and writes its own
 * messages. Announcements are hints: after an interruption every stream tells its page that everything may have changed.
 */
import type { Database } from '../../db/connection.ts'
import type { Log } from '../../db/log.ts'
import { subscribeToChannel, unsubscribeFromChannel } from '../../events/announcements.ts'
import { unwatch, watch } from './watches.ts'

const CHANNEL = 'ingot_live'

/** Milliseconds after which the database is reminded of what is watched. */
const REMINDER = 60_000

/** A stream, as the hub sees it. */
export interface Listening {
  readonly topics: readonly string[]
  /** A topic has changed. `audience`: the streams that are notified of it. */
  changed(topic: string, audience: number): void
  /** Ends the stream: the server stops. */
  end(): void
}

class LiveHub {
  readonly #database: Database
  readonly #log: Log
  readonly #byTopic = new Map<string, Set<Listening>>()
  readonly #streams = new Set<Listening>()
  #reminder: NodeJS.Timeout | undefined
  #turn: Promise<void> = Promise.resolve()
  #subscription: PromiseWithResolvers<void> | undefined
  #isClosed = false

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  /** Resolves when changes of its topics reach the stream. A closed hub ends it. */
  async add(stream: Listening): Promise<void> {
    if (this.#isClosed) {
      stream.end()
      return
    }
    this.#streams.add(stream)
    for (const topic of stream.topics) this.#listeners(topic).add(stream)
    await this.#subscribed()
    await this.#inTurn(() => watch(this.#database.db, stream.topics))
  }

  async remove(stream: Listening): Promise<void> {
    if (!this.#streams.delete(stream)) return
    for (const topic of stream.topics) {
      const listeners = this.#listeners(topic)
      listeners.delete(stream)
      if (listeners.size === 0) this.#byTopic.delete(topic)
    }
    await this.#inTurn(async () => {
      // A page that follows another one shows much of the same.
      const left = stream.topics.filter(topic => !this.#byTopic.has(topic))
      if (left.length > 0) await unwatch(this.#database.db, left)
    })
  }

  /** Ends all streams, and the subscription. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#reminder)
    for (const stream of this.#streams) stream.end()
    if (this.#subscription) await unsubscribeFromChannel(this.#database, CHANNEL)
    this.#subscription = undefined
  }

  /** Registers and forgets one after the other, so that a topic that is watched again is not forgotten. */
  #inTurn(step: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(step)
    this.#turn = turn.catch(() => {})
    return turn
  }

  #listeners(topic: string): Set<Listening> {
    const known = this.#byTopic.get(topic)
    if (known) return known
    const made = new Set<Listening>()
    this.#byTopic.set(topic, made)
    return made
  }

  #subscribed(): Promise<void> {
    if (this.#subscription) return this.#subscription.promise
    const subscription = Promise.withResolvers<void>()
    this.#subscription = subscription
    this.#reminder = setInterval(() => this.#remind(), REMINDER)
    this.#reminder.unref()
    let hasBegun = false
    subscribeToChannel({ database: this.#database, log: this.#log }, CHANNEL, {
      onNotification: topic => this.#announce(topic),
      onSubscribed: () => {
        if (hasBegun) this.#catchUp()
        hasBegun = true
        subscription.resolve()
      },
    })
    return subscription.promise
  }

  #announce(topic: string): void {
    const listeners = this.#byTopic.get(topic)
    for (const stream of listeners ?? []) stream.changed(topic, listeners?.size ?? 1)
  }

  /** Earlier announcements are lost, and perhaps the list of what is watched. */
  #catchUp(): void {
    this.#remind()
    for (const topic of this.#byTopic.keys()) this.#announce(topic)
  }

  #remind(): void {
    this.#inTurn(() => watch(this.#database.db, [...this.#byTopic.keys()])).catch(error =>
      this.#log.warn({ err: error }, 'what pages show could not be registered'),
    )
  }
}

const hubs = new WeakMap<Database, LiveHub>()

/** The hub of a database in this process. */
export function hubOf({ database, log }: { readonly database: Database; readonly log: Log }): LiveHub {
  const hub = hubs.get(database) ?? new LiveHub(database, log)
  hubs.set(database, hub)
  return hub
}

/** Ends the streams of a database because its application closes, and those that are opened until `closeLiveStreams`. */
export async function endLiveStreams(deps: { readonly database: Database; readonly log: Log }): Promise<void> {
  await hubOf(deps).close()
}

/** Ends the streams of a database. Others can be opened afterwards. */
export async function closeLiveStreams(database: Database): Promise<void> {
  const hub = hubs.get(database)
  hubs.delete(database)
  await hub?.close()
}
