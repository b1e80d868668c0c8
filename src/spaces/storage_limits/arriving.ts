/** Files that tell their size only while they come: they take their room bit by bit, and stop where there is no more. */
import { type Readable, Transform, type TransformCallback } from 'node:stream'
import type { Db } from '../../platform/db/connection.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { whenBrokenOff } from '../../platform/kernel/request/wire.ts'
import type { Stored } from '../projects/repository/store.ts'
import { lines } from './limits.ts'
import { storageLimitsOf } from './queries.ts'
import { Reservation } from './reservations.ts'

type Means = Pick<Deps, 'storages' | 'database' | 'log'>

/** Lets bytes pass once their room is reserved. */
class Fitting extends Transform {
  readonly #room: Reservation
  readonly #limit: number
  #size = 0
  #asking: Promise<unknown> = Promise.resolve()

  constructor(room: Reservation, limit: number) {
    super()
    this.#room = room
    this.#limit = limit
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#size += chunk.length
    const asking = this.#room.holds(this.#size)
    this.#asking = asking.catch(() => {})
    asking.then(isHeld => (isHeld ? done(null, chunk) : done(new Refusal('too_large', { message: lines.project(this.#limit) }))), done)
  }

  /** Lets nothing more pass, and waits until no room is asked for any more. */
  async stop(): Promise<void> {
    this.destroy()
    await this.#asking
  }
}

/**
 * Does `work`, which keeps a file beside the repository whose size is not known before. It is given the bytes to read in the place of `source`, which fail
 * with the refusal once the project has no room for them; what has come is the store's to drop. It gives the room back by `stored`, as with
 * `withRoomForFile`. Of a source that is refused the rest is read and dropped, so that the client sees the answer.
 * @throws Refusal 413 where the project has no room for them
 */
export async function withRoomForArriving<T>(
  means: Means,
  project: Stored,
  source: Readable,
  work: (bytes: Readable, stored: (db: Db) => Promise<void>) => Promise<T>,
): Promise<T> {
  // It may fail before anything reads it; an error that nobody listens to would end the server.
  source.on('error', () => {})
  const { project: limit } = await storageLimitsOf(means.database.db, project.id)
  if (limit === undefined) return work(source, async () => {})
  const room = new Reservation(means, project)
  const fitting = new Fitting(room, limit)
  // One that comes before the work reads must not end the process.
  fitting.on('error', () => {})
  whenBrokenOff(source, error => fitting.destroy(error))
  try {
    return await work(source.pipe(fitting), db => room.release(db))
  } finally {
    source.unpipe(fitting)
    await fitting.stop()
    await room.release()
    source.resume()
  }
}
