/**
 * Database notifications (NOTIFY), received on one connection for all listeners of this process. A notification is a hint: it may be lost
 * with the connection, so a listener also checks the database itself when a subscription starts again.
 */
import type { Database } from '../db/connection.ts'
import type { Log } from '../db/log.ts'
import type { PoolClient } from '../db/pool.ts'
import { pause } from './lease.ts'

/** A subscriber of a channel. */
export interface Listener {
  onNotification(message: string): void
  /** The channel is now subscribed. Earlier notifications are lost. */
  onSubscribed(): void
  /** The subscription is interrupted. */
  onInterrupted?(): void
}

/** Milliseconds until another connection is tried. */
const PAUSE = 1_000

class Announcements {
  readonly #database: Database
  readonly #log: Log
  readonly #listeners = new Map<string, Listener>()
  #client: PoolClient | undefined
  #closing = new AbortController()
  #kept: Promise<void> | undefined

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  hear(channel: string, listener: Listener): void {
    this.#listeners.set(channel, listener)
    if (this.#kept) {
      // A connection failure is handled where the connection is kept.
      if (this.#client) this.#begin(this.#client, channel).catch(() => {})
      return
    }
    this.#closing = new AbortController()
    this.#kept = this.#keep(this.#closing.signal)
  }

  /** Resolves when the channel is unsubscribed. The connection is closed after the last channel. */
  async leave(channel: string): Promise<void> {
    this.#listeners.delete(channel)
    if (this.#listeners.size > 0) return
    this.#closing.abort()
    const kept = this.#kept
    this.#kept = undefined
    await kept
  }

  /** Listens as long as there are channels, on another connection when one breaks. */
  async #keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let client: PoolClient | undefined
      try {
        client = await this.#database.pool.connect()
        await this.#hearWith(client, signal)
      } catch (error) {
        if (signal.aborted) return
        this.#log.warn({ err: error }, 'announcements of the database are not heard')
      } finally {
        if (this.#client === client) this.#client = undefined
        for (const listener of this.#listeners.values()) listener.onInterrupted?.()
        // Closed instead of released, because it would keep its subscriptions.
        client?.release(true)
      }
      await pause(PAUSE, signal)
    }
  }

  /** Resolves when the signal is given. @throws what broke the connection */
  async #hearWith(client: PoolClient, signal: AbortSignal): Promise<void> {
    const broken = Promise.withResolvers<never>()
    broken.promise.catch(() => {})
    client.on('notification', ({ channel, payload }) => this.#listeners.get(channel)?.onNotification(payload ?? ''))
    client.on('error', broken.reject)
    client.on('end', () => broken.reject(new Error('the connection ended')))
    for (const channel of this.#listeners.keys()) await this.#begin(client, channel)
    this.#client = client
    const closed = new Promise<void>(resolve => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await Promise.race([broken.promise, closed])
  }

  async #begin(client: PoolClient, channel: string): Promise<void> {
    await client.query(`listen ${channel}`)
    this.#listeners.get(channel)?.onSubscribed()
  }
}

const known = new WeakMap<Database, Announcements>()

/** Subscribes this process to a channel until `unsubscribeFromChannel`. A channel has one listener. */
export function subscribeToChannel(
  { database, log }: { readonly database: Database; readonly log: Log },
  channel: string,
  listener: Listener,
): void {
  const announcements = known.get(database) ?? new Announcements(database, log)
  known.set(database, announcements)
  announcements.hear(channel, listener)
}

/** Resolves when the channel is unsubscribed. */
export async function unsubscribeFromChannel(database: Database, channel: string): Promise<void> {
  await known.get(database)?.leave(channel)
}
