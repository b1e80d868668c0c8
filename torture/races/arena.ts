/** A server with the world of the derived tests, in which requests are sent alone, in turn and side by side; each time it begins as it was made. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import { forgetCountedLines } from '../../src/ci/traces/log.ts'
import { places } from '../../src/platform/config.ts'
import { RowSnapshot } from '../../src/platform/db/row_snapshot.ts'
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { forgetActing } from '../../src/platform/kernel/request/acting.ts'
import { FolderSnapshot } from '../../src/server/testing/folder_snapshot.ts'
import { finishGroupRemoval } from '../../src/spaces/groups/lifecycle/removal.ts'
import type { AtEnd } from '../../test/at_end.ts'
import { encodeBody, encodeQuery } from '../../test/client.ts'
import { copyOfWorld } from '../../test/derived/made_once.ts'
import { ablest, credentialsOf, requestFor, type World } from '../../test/derived/world.ts'
import { testFolder } from '../../test/folder.ts'
import { type Outcome, OutcomeReader, raiseIds } from './outcome.ts'

/** An answer that takes as long is a hang, in milliseconds. */
const HANG = 30_000

/** After so many returns to the beginning the rows that were replaced meanwhile are cleared away: each later one would read past all of them. */
const RESTORES_TO_VACUUM = 200

/** What a request was answered, and how long that took in milliseconds. */
export interface Heard {
  /** 0: there was no answer in time. */
  readonly status: number
  readonly text: string
  readonly took: number
}

export class Arena {
  readonly world: World
  readonly #credentials: Awaited<ReturnType<typeof credentialsOf>>
  readonly #rows: RowSnapshot
  readonly #folders: readonly FolderSnapshot[]
  readonly #outcomes: OutcomeReader
  #restores = 0

  private constructor(
    world: World,
    credentials: Awaited<ReturnType<typeof credentialsOf>>,
    rows: RowSnapshot,
    folders: readonly FolderSnapshot[],
    outcomes: OutcomeReader,
  ) {
    this.world = world
    this.#credentials = credentials
    this.#rows = rows
    this.#folders = folders
    this.#outcomes = outcomes
  }

  static async open(atEnd: AtEnd): Promise<Arena> {
    const world = await copyOfWorld(atEnd, {}, true)
    const { pool } = world.scene.deps.database
    const credentials = await credentialsOf(world)
    await raiseIds(pool)
    const copies = await testFolder(atEnd)
    const { repositories, objects } = places(world.scene.deps.config)
    const folders = [repositories, objects].map((folder, index) => FolderSnapshot.take(folder, join(copies, String(index))))
    const rows = await RowSnapshot.take(pool)
    atEnd(() => rows.close())
    return new Arena(world, credentials, rows, folders, await OutcomeReader.on(pool))
  }

  /** What the server's log says of requests that failed unforeseen. */
  get failures(): World['scene']['failures'] {
    return this.world.scene.failures
  }

  /** The path of the valid request of an endpoint, without its query. */
  addressOf(endpoint: Endpoint): string {
    return requestFor(this.world, endpoint, ablest(endpoint), 'private').path
  }

  /** Sends the valid request of an endpoint as the one who may do most with it. */
  async send(endpoint: Endpoint): Promise<Heard> {
    const persona = ablest(endpoint)
    const { dialect, method, path, query = {}, body, type: given, headers } = requestFor(this.world, endpoint, persona, 'private')
    const search = encodeQuery(query)
    const { type = given, bytes } = await encodeBody(body)
    const begun = performance.now()
    const asked = this.world.scene.app.inject({
      method: method as InjectOptions['method'] & string,
      url: search ? `${path}?${search}` : path,
      headers: { ...this.#credentials(persona, dialect, 'private'), ...(type && { 'content-type': type }), ...headers },
      ...(bytes && { payload: bytes }),
    })
    const answer = await Promise.race([asked, delay(HANG, undefined, { ref: false })])
    const took = performance.now() - begun
    return answer ? { status: answer.statusCode, text: answer.payload, took } : { status: 0, text: '', took }
  }

  /** What the database holds, once the removal of deleted groups has ended: what was added to one after it was hidden goes with it. */
  async outcome(): Promise<Outcome> {
    const { deps } = this.world.scene
    const { rows } = await deps.database.pool.query<{ id: number }>('select id from namespaces where deleting')
    for (const { id } of rows) await finishGroupRemoval(deps, { group_id: id })
    return this.#outcomes.read()
  }

  /** Makes everything what it was. No request may run. */
  async restore(): Promise<void> {
    const { database, storages, limiter } = this.world.scene.deps
    await storages.close()
    await this.#rows.restore()
    // The server of the tests does not do it by itself.
    if (++this.#restores % RESTORES_TO_VACUUM === 0) await database.pool.query('vacuum')
    for (const folder of this.#folders) folder.restore()
    forgetCountedLines()
    forgetActing(database)
    limiter.forgetCounts()
  }
}
