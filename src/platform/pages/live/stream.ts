/**
 * The stream of one open page: server-sent events about the topics that it shows. A message carries no content of the things but what is
 * rendered for this caller; the rest says only that a topic has changed, and the page asks for itself again. Session and rights are checked
 * again before each message.
 */
import { Readable } from 'node:stream'
import type { Actor } from '../../access/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { hubOf, type Listening } from './hub.ts'
import { readTopic, type Topic, type TopicKind } from './topics.ts'

/** Milliseconds between messages of one stream. */
const PACE = 1_000

/** Milliseconds until the first message after a change: changes of one transaction, and of those right after it, go out together. */
const GATHER = 50

/** Milliseconds that each further viewer of a topic adds to the time over which their messages are spread, and the longest such time. */
const SPREAD = 5
const LONGEST_SPREAD = 5_000

/** Milliseconds between signs of life; sessions are checked then too. */
const HEARTBEAT = 25_000

/** Milliseconds after which a new stream looks once more for changes: no transaction of a request takes as long. */
const SECOND_LOOK = 2_000

/** Milliseconds after which a stream ends; the browser opens another one. */
const AGE = 15 * 60_000

/** Milliseconds for which a stream that has ended waits for its client to read the rest. */
const PATIENCE = 5_000

/** Milliseconds after which the browser tries again. */
const RETRY = 3_000

/** What a stream needs from its request. */
export interface StreamRequest {
  readonly ctx: Context
  readonly topics: readonly string[]
  /** When the page was made. */
  readonly since: Date
  /** Who the caller is now; undefined once the session has ended. */
  readonly actorNow: () => Promise<Actor | undefined>
}

interface Followed {
  readonly topic: Topic
  readonly id: number
  readonly kind: TopicKind
}

/** The topics among these texts that the caller may follow. */
async function openTopics(ctx: Context, texts: readonly string[]): Promise<Followed[]> {
  const named = texts.flatMap(text => readTopic(text) ?? [])
  const open = await Promise.all(named.map(({ kind, id }) => kind.isOpen(ctx, id)))
  return named.filter((_, index) => open[index])
}

/** Those of the topics that have changed since the page was made. */
async function changedSince(ctx: Context, followed: readonly Followed[], since: Date): Promise<readonly Followed[]> {
  const changed = await Promise.all(followed.map(({ kind, id }) => kind.hasChanged?.(ctx, id, since)))
  return followed.filter((_, index) => changed[index])
}

/** The first messages: what has changed, and what every page shows. */
async function firstMessages(ctx: Context, followed: readonly Followed[], changed: readonly Followed[]): Promise<string> {
  const streams = await Promise.all(followed.map(({ kind, id }) => streamsOf(ctx, kind, id)))
  return [...changed.map(({ topic }) => change(topic)), ...streams].join('')
}

const event = (name: string, data: string): string => `event: ${name}\n${data.replace(/^/gm, 'data: ')}\n\n`

const change = (topic: string): string => event('change', topic)

async function streamsOf(ctx: Context, kind: TopicKind, id: number): Promise<string> {
  const streams = await kind.streams?.(ctx, id)
  return streams ? event('streams', streams.text) : ''
}

/** The id of a message: the browser sends that of the last one when it comes back, and misses nothing. */
const stamp = (now: Date): string => `id: ${now.getTime()}\n`

/** What is due now, and no more: for clients that ask again instead of listening. */
export async function messagesNow({ ctx, topics, since }: StreamRequest): Promise<string> {
  const followed = await openTopics(ctx, topics)
  return `retry: ${RETRY}\n${stamp(ctx.now)}\n${await firstMessages(ctx, followed, await changedSince(ctx, followed, since))}`
}

/**
 * Opens a stream; undefined where there is nothing that the caller may follow. It ends when its client leaves, the session ends, no topic is
 * left, the server stops, or after a quarter of an hour.
 */
export async function openStream(request: StreamRequest): Promise<{ readonly body: Readable; readonly ended: Promise<void> } | undefined> {
  const followed = await openTopics(request.ctx, request.topics)
  if (followed.length === 0) return undefined
  const stream = new PageStream(request, followed)
  await stream.begin()
  return stream
}

class PageStream implements Listening {
  readonly topics: readonly Topic[]
  readonly body: Readable
  readonly ended: Promise<void>
  readonly #request: StreamRequest
  readonly #followed: Map<Topic, Followed>
  readonly #pending = new Set<Topic>()
  /** Those that have been announced since the stream began. */
  readonly #announced = new Set<Topic>()
  readonly #timers: NodeJS.Timeout[] = []
  #sending: NodeJS.Timeout | undefined
  #lastSent = Number.NEGATIVE_INFINITY
  #isOver = false

  constructor(request: StreamRequest, followed: readonly Followed[]) {
    this.#request = request
    this.#followed = new Map(followed.map(one => [one.topic, one]))
    this.topics = [...this.#followed.keys()]
    // Messages are small, and a topic waits at most once: a client that does not read gathers little until it is found dead.
    this.body = new Readable({ read() {} })
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.body.once('close', () => {
      this.#isOver = true
      for (const timer of [...this.#timers, this.#sending]) clearTimeout(timer)
      hubOf(request.ctx.deps)
        .remove(this)
        .catch(error => request.ctx.log.warn({ err: error }, 'a stream could not be signed off'))
        .finally(resolve)
    })
  }

  /** Sends what is due. From now on, changes reach the stream. */
  async begin(): Promise<void> {
    const { ctx, since } = this.#request
    try {
      await hubOf(ctx.deps).add(this)
      if (this.#isOver) return
      this.body.push(`retry: ${RETRY}\n${stamp(ctx.now)}\n`)
      const followed = [...this.#followed.values()]
      const changed = await changedSince(ctx, followed, since)
      for (const { topic } of changed) this.#announced.add(topic)
      const first = await firstMessages(ctx, followed, changed)
      // The server may have begun to stop, or the client may have left.
      if (this.#isOver) return
      this.body.push(first)
    } catch (error) {
      this.body.destroy()
      throw error
    }
    this.#timers.push(
      setInterval(() => void this.#guarded(() => this.#beat()), HEARTBEAT),
      setTimeout(() => this.end(), AGE),
      setTimeout(() => void this.#guarded(() => this.#lookAgain()), SECOND_LOOK),
    )
  }

  /**
   * Finds what was written before the topics were registered, and committed after they were looked at. A transaction that ran while the page was made
   * has an earlier time than the page, which does not show what it wrote.
   */
  async #lookAgain(): Promise<void> {
    const { ctx, since } = this.#request
    const silent = [...this.#followed.values()].filter(({ topic }) => !this.#announced.has(topic))
    const begun = new Date(since.getTime() - SECOND_LOOK)
    for (const { topic } of await changedSince(ctx, silent, begun)) this.changed(topic, 1)
  }

  changed(topic: string, audience: number): void {
    if (!this.#followed.has(topic as Topic)) return
    this.#announced.add(topic as Topic)
    this.#pending.add(topic as Topic)
    if (this.#sending || this.#isOver) return
    const spread = Math.random() * Math.min((audience - 1) * SPREAD, LONGEST_SPREAD)
    const wait = Math.max(GATHER, this.#lastSent + PACE - performance.now()) + spread
    this.#sending = setTimeout(() => {
      this.#sending = undefined
      void this.#guarded(() => this.#send())
    }, wait)
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.body.push(null)
    // A client that does not read does not see the end either.
    setTimeout(() => this.body.destroy(), PATIENCE).unref()
  }

  /** Runs a step; a failure ends the stream, and the browser opens another one. */
  async #guarded(step: () => Promise<void>): Promise<void> {
    if (this.#isOver) return
    try {
      await step()
    } catch (error) {
      this.#request.ctx.log.warn({ err: error }, 'a stream of a page failed')
      this.end()
    }
  }

  /** The request as if it were made now; undefined, with the stream ended, once the session has ended. */
  async #contextNow(): Promise<Context | undefined> {
    const { ctx, actorNow } = this.#request
    const actor = await actorNow()
    if (actor) return { ...ctx, actor, now: ctx.deps.now() }
    this.end()
    return undefined
  }

  async #beat(): Promise<void> {
    if (await this.#contextNow()) this.body.push(`${stamp(this.#request.ctx.deps.now())}: \n\n`)
  }

  async #send(): Promise<void> {
    const ctx = await this.#contextNow()
    if (!ctx) return
    const due = [...this.#pending].flatMap(topic => this.#followed.get(topic) ?? [])
    this.#pending.clear()
    this.#lastSent = performance.now()
    const messages = await Promise.all(
      due.map(async ({ topic, kind, id }) => {
        if (await kind.isOpen(ctx, id)) return `${change(topic)}${await streamsOf(ctx, kind, id)}`
        this.#followed.delete(topic)
        return ''
      }),
    )
    if (this.#isOver) return
    this.body.push(`${stamp(ctx.now)}${messages.join('') || ': \n\n'}`)
    if (this.#followed.size === 0) this.end()
  }
}
