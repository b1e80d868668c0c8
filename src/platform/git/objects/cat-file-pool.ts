/**
 * The object readers of a storage: one process per repository in use, shared by all requests on it, with a limit on their number. The
 * reader that has been idle longest makes room for another repository.
 */

import { statSync } from 'node:fs'
import { RepositoryMissing } from '../errors.ts'
import type { GitPlace } from '../storage/repository.ts'
import { CatFile, ReaderDied } from './cat-file.ts'
import { answersFromFiles } from './from-files.ts'
import type { CatFileAnswer, CatFileQuestion } from './object.ts'

export interface CatFilePoolOptions {
  /** Limit of concurrent readers. */
  readonly maxReaders?: number
  /** Milliseconds without a request after which a reader ends. */
  readonly idleMs?: number
}

interface Slot {
  readonly reader: CatFile
  /** The inode of its directory: a repository that was removed and created again is another one. */
  readonly inode: bigint
  users: number
  idleTimer: NodeJS.Timeout | undefined
}

export class CatFilePool {
  readonly #maxReaders: number
  readonly #idleMs: number
  /** By path, least recently used first. */
  readonly #slots = new Map<string, Slot>()
  /** Readers that were signalled to end and have not ended yet. */
  readonly #ending = new Set<CatFile>()
  #waiting: (() => void)[] = []

  constructor({ maxReaders = 24, idleMs = 60_000 }: CatFilePoolOptions = {}) {
    this.#maxReaders = maxReaders
    this.#idleMs = idleMs
  }

  /** Number of running readers. */
  get size(): number {
    return this.#slots.size
  }

  /** The pid of a repository's reader, for tests that kill it. */
  pidOf(path: string): number | undefined {
    return this.#slots.get(path)?.reader.pid
  }

  /**
   * Queries a repository's reader. A reader that dies is replaced once and queried again; if the second one dies of the same query, the
   * object is `corrupt`. `not_found` when the repository is gone. No reader is started for queries that the files alone answer.
   */
  async ask(place: GitPlace, questions: readonly CatFileQuestion[]): Promise<CatFileAnswer[]> {
    const seen = this.#slots.has(place.path) ? undefined : answersOf(place, questions)
    if (seen) return seen
    try {
      return await this.#askOnce(place, questions)
    } catch (error) {
      if (!(error instanceof ReaderDied)) throw error
    }
    try {
      return await this.#askOnce(place, questions)
    } catch (error) {
      throw error instanceof ReaderDied ? error.asCorrupt() : error
    }
  }

  /** Ends the reader of a repository that is about to be removed or replaced. */
  release(path: string): void {
    const slot = this.#slots.get(path)
    if (slot !== undefined) this.#end(path, slot)
  }

  /** Ends all readers and waits for their exit. */
  async close(): Promise<void> {
    for (const [path, slot] of [...this.#slots]) this.#end(path, slot)
    await Promise.all([...this.#ending].map(reader => reader.ended))
  }

  async #askOnce(place: GitPlace, questions: readonly CatFileQuestion[]): Promise<CatFileAnswer[]> {
    const slot = await this.#borrow(place)
    try {
      return await slot.reader.ask(questions)
    } finally {
      slot.users -= 1
      if (slot.users === 0) this.#rest(place.path, slot)
    }
  }

  async #borrow(place: GitPlace): Promise<Slot> {
    const inode = inodeOf(place.path)
    for (;;) {
      const slot = this.#slots.get(place.path)
      if (slot !== undefined && (slot.reader.closed || slot.inode !== inode)) this.#end(place.path, slot)
      else if (slot !== undefined) return this.#use(place.path, slot)
      if (this.#slots.size < this.#maxReaders || this.#makeRoom()) {
        return this.#use(place.path, { reader: new CatFile(place), inode, users: 0, idleTimer: undefined })
      }
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
  }

  #use(path: string, slot: Slot): Slot {
    slot.users += 1
    clearTimeout(slot.idleTimer)
    this.#slots.delete(path)
    this.#slots.set(path, slot)
    return slot
  }

  #rest(path: string, slot: Slot) {
    if (this.#slots.get(path) !== slot) return
    slot.idleTimer = setTimeout(() => this.#end(path, slot), this.#idleMs)
    slot.idleTimer.unref()
    this.#wake()
  }

  #makeRoom(): boolean {
    for (const [path, slot] of this.#slots) {
      if (slot.users > 0) continue
      this.#end(path, slot)
      return true
    }
    return false
  }

  #end(path: string, slot: Slot) {
    clearTimeout(slot.idleTimer)
    if (this.#slots.get(path) === slot) this.#slots.delete(path)
    this.#ending.add(slot.reader)
    slot.reader.ended.then(() => this.#ending.delete(slot.reader))
    slot.reader.close()
    this.#wake()
  }

  #wake() {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }
}

/** The answers that the files alone give, for an existing repository. */
function answersOf(place: GitPlace, questions: readonly CatFileQuestion[]): CatFileAnswer[] | undefined {
  inodeOf(place.path)
  return answersFromFiles(place, questions)
}

/** Synchronous: on a local disk this takes microseconds, and the thread pool would take twenty times as long. */
function inodeOf(path: string): bigint {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) throw new RepositoryMissing()
  return found.ino
}
