/**
 * What an ephemeral server has for tests of clients: it remembers their requests, answers with faults that were asked for, and goes back to the
 * world as it was made. A server with data that last has none of this.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { closeLongPolls } from '../../ci/runner_protocol/assignment/long_polls.ts'
import { forgetCountedLines } from '../../ci/traces/log.ts'
import { places } from '../../platform/config.ts'
import { RowSnapshot } from '../../platform/db/row_snapshot.ts'
import { hasDueTasks } from '../../platform/events/queue_state.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { forgetActing } from '../../platform/kernel/request/acting.ts'
import { readBody, type Wire } from '../../platform/kernel/request/wire.ts'
import { closeLiveStreams } from '../../platform/pages/live/hub.ts'
import { type Fault, Faults } from './faults.ts'
import { FolderSnapshot } from './folder_snapshot.ts'
import { maskedQuery, type RecordedRequest, RequestRecorder, shapeOf } from './requests.ts'

/** Where its own endpoints are, which are not recorded and have no faults. */
export const TESTING = '/-/testing/'

/** How long a reset waits for requests and tasks that run, in milliseconds. */
const PATIENCE = 10_000

/** Bytes of a body that is read although the answer is a fault. */
const BODY_LIMIT = 1024 * 1024

/** The background work of the server, which rests during a reset. */
export interface Background {
  stop(): Promise<void>
  start(): Promise<void>
}

/** The world as it was made. */
interface AsMade {
  readonly database: RowSnapshot
  readonly folders: readonly FolderSnapshot[]
}

export class TestBench {
  readonly faults = new Faults()
  readonly recorder: RequestRecorder
  readonly #deps: Deps
  #asMade: AsMade | undefined
  #background: Background | undefined
  /** The answers of requests that are not over. */
  readonly #running = new Set<FastifyReply>()
  /** Until it resolves, requests wait. */
  #closed: Promise<void> | undefined

  constructor(deps: Deps, recordFile: string | undefined) {
    this.#deps = deps
    this.recorder = new RequestRecorder(recordFile)
  }

  /** Sees all requests of an application. */
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply) => this.#arrive(request, reply))
  }

  /** Keeps the world as it is now, for `reset`. Nobody has asked for anything yet. */
  async keep(background: Background): Promise<void> {
    const { config, database } = this.#deps
    await this.#until(async () => !(await hasDueTasks(database.db)), 'tasks of the start still run')
    await background.stop()
    const copies = join(config.dataDir, 'as_made')
    const kept = [places(config).repositories, ...(config.objectStore ? [] : [places(config).objects])]
    this.#asMade = {
      database: await RowSnapshot.take(database.pool),
      folders: kept.map((folder, index) => FolderSnapshot.take(folder, join(copies, String(index)))),
    }
    this.#background = background
    await background.start()
  }

  /**
   * Makes everything what it was: rows, ids to come, repositories, files. Faults and remembered requests are gone, and so are limits.
   * @throws Refusal 409 while another reset runs, or where a request does not end
   */
  async reset(): Promise<void> {
    const { database, storages, limiter } = this.#deps
    if (this.#closed || !this.#asMade || !this.#background) throw conflict('The world cannot be reset now')
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#closed = promise
    try {
      // Requests that wait for something to happen get their answers now.
      await Promise.all([closeLongPolls(database), closeLiveStreams(database)])
      await this.#until(async () => this.#running.size === 0, 'A request still runs')
      await Promise.all([this.#background.stop(), storages.close()])
      await this.#asMade.database.restore()
      for (const folder of this.#asMade.folders) folder.restore()
      forgetCountedLines()
      forgetActing(database)
      limiter.forgetCounts()
      this.faults.clear()
      this.recorder.clear()
      await this.#background.start()
    } finally {
      this.#closed = undefined
      resolve()
    }
  }

  async close(): Promise<void> {
    this.recorder.close()
    await this.#asMade?.database.close()
  }

  /** The remembered requests, with the answers of those that have just been sent. */
  async requests(): Promise<RequestRecorder['kept']> {
    await this.#until(async () => ![...this.#running].some(({ raw }) => raw.writableEnded), 'An answer is still sent')
    return this.recorder.kept
  }

  async #until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
    for (const end = performance.now() + PATIENCE; !(await isSo()); await delay(2)) if (performance.now() > end) throw conflict(otherwise)
  }

  async #arrive(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.url.startsWith(TESTING)) return
    while (this.#closed) await this.#closed
    // As it was sent: some addresses are rewritten for the router.
    const [path = ''] = request.originalUrl.split('?', 1)
    const { method } = request
    const fault = this.faults.take(method, path)
    const recorded: RecordedRequest = {
      method,
      path,
      query: maskedQuery(request.query as Wire),
      status: null,
      body: null,
      user: null,
      fault: fault !== undefined,
    }
    this.recorder.begin(recorded)
    this.#running.add(reply)
    reply.raw.once('close', () => {
      this.#running.delete(reply)
      if (reply.raw.headersSent) recorded.status = reply.raw.statusCode
      if (request.sentBody && Object.keys(request.sentBody).length > 0) recorded.body = shapeOf(request.sentBody)
      recorded.user = request.actor?.user?.username ?? null
      this.recorder.finish(recorded)
    })
    if (fault) await this.#fail(fault, request, reply)
  }

  async #fail(fault: Fault, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (fault.delay !== undefined) await delay(fault.delay)
    if (fault.cut) {
      reply.hijack()
      request.raw.socket.destroy()
      return
    }
    if (fault.status === undefined) return
    await this.#readBody(request)
    if (fault.retry_after !== undefined) reply.header('retry-after', String(fault.retry_after))
    await reply.code(fault.status).send({ message: `${fault.status} Fault on demand` })
  }

  /** What was sent, where it is a set of values: a client is recorded alike with and without a fault. */
  async #readBody(request: FastifyRequest): Promise<void> {
    const { raw } = request
    if (Number(raw.headers['content-length'] ?? 0) > BODY_LIMIT) return
    const options = { limit: BODY_LIMIT, uploadDirectory: places(this.#deps.config).uploads }
    // What cannot be read is recorded as no body; the answer is the fault in any case.
    const body = await readBody(raw.headers, raw, options).catch(() => undefined)
    request.sentBody = body?.values
    await body?.discard()
  }
}
