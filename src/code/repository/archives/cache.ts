/**
 * Cache of archives, in files named by their content: each revision is packed once. Access is checked before the cache is used. The least
 * recently used archives are evicted first.
 *
 * What bounds the disk, in each process: complete archives take the limit together. A file in production grows up to the limit, what would be
 * kept, and only while all files that are open take less than twice the limit; beyond that it has a window, and git waits for its clients
 * (production.ts). Where the open files take all of that and the room of 64 windows besides, new productions are refused; so they are to a caller
 * whose own take a third, and to callers without an account where theirs take half. Archives that begin at the same time exceed it by
 * a window each, and slots bound their number.
 */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { places } from '../../../platform/config.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { currentHolder, isAnonymousHolder } from '../../../platform/kernel/request/bounds/holder.ts'
import { workRefusal } from '../../../platform/kernel/request/bounds/work_slots.ts'
import { OpenFiles } from './open_files.ts'
import { Production } from './production.ts'

const MEGABYTE = 1024 * 1024

/** Lifetime of an archive after its last use, in milliseconds; a deleted project's archives are gone by then. */
const KEPT = 24 * 60 * 60 * 1000

/** Age at which files left by a crash are deleted. */
const UNFINISHED = 6 * 60 * 60 * 1000

/** How far git is ahead of the slowest client where a file may not grow: enough that it seldom waits for one that reads in bursts. */
const WINDOW = 64 * MEGABYTE

/** Windows for which there is room where files no longer grow: as many slow downloads of large archives as an instance is likely to have. */
const WINDOWS = 64

/** The bytes of an archive: a complete file, or a stream in progress. `work` is that of git, for the request that began it. */
export type Found =
  | { readonly whole: FileHandle; readonly size: number }
  | { readonly bytes: AsyncIterable<Buffer>; readonly work?: Promise<void> }

export interface ArchiveOptions {
  /** Asked when it is complete: whether it is for later requests too. Default: it is. */
  readonly isKept?: () => boolean
  /** Called when git begins to wait for clients: takes the slot of an exchange, which the returned function gives back. Default: the request has one. */
  readonly follows?: (signal: AbortSignal) => Promise<(() => void) | undefined>
}

export class ArchiveCache {
  readonly #directory: string
  readonly #limit: number
  readonly #now: () => Date
  readonly #window: number
  readonly #running = new Map<string, Production>()
  readonly #open = new OpenFiles()

  /**
   * @param limit total bytes of complete archives that are kept
   * @param window bytes that git is ahead where files may not grow
   */
  constructor(directory: string, limit: number, now: () => Date, window = WINDOW) {
    this.#directory = directory
    this.#limit = limit
    this.#now = now
    this.#window = window
  }

  /**
   * The archive of this name, created if it is missing. Concurrent requests share one production.
   * @throws Refusal 429 or 503 where the archives that are being made take all the room that there is for them
   */
  async get(name: string, make: (signal: AbortSignal) => AsyncIterable<Buffer>, options: ArchiveOptions = {}): Promise<Found> {
    const file = join(this.#directory, createHash('sha256').update(name).digest('hex'))
    if (!this.#running.has(name)) {
      const whole = await this.#whole(file)
      if (whole) return whole
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    }
    // No `await` between here and `join`: the production could end meanwhile.
    const running = this.#running.get(name)
    if (running) return { bytes: await running.join() }
    this.#assertRoom(currentHolder())
    const production = this.#produce(name, file, make, options)
    return { bytes: await production.join(), work: production.ranAhead }
  }

  /** Bytes that all open files take before the growing ones among them stop. */
  get #mostGrown(): number {
    return 2 * this.#limit
  }

  #assertRoom(holder: string): void {
    const most = this.#mostGrown + WINDOWS * this.#window
    if (this.#open.bytes(other => other === holder) >= most / 3) throw workRefusal('too_many_requests')
    if (this.#open.bytes() >= most || (isAnonymousHolder(holder) && this.#open.bytes(isAnonymousHolder) >= most / 2))
      throw workRefusal('unavailable')
  }

  /** How many bytes a file in production may grow by. */
  #growth(bytes: number): number {
    if (bytes < this.#window) return this.#window - bytes
    return this.#open.bytes() < this.#mostGrown ? this.#limit - bytes : 0
  }

  async #whole(file: string): Promise<Found | undefined> {
    let handle: FileHandle
    try {
      handle = await open(file, 'r')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    const now = this.#now()
    await handle.utimes(now, now)
    await this.#open.add(handle, currentHolder())
    return { whole: handle, size: (await handle.stat()).size }
  }

  #produce(name: string, file: string, make: (signal: AbortSignal) => AsyncIterable<Buffer>, options: ArchiveOptions): Production {
    const { isKept = () => true, follows = async () => undefined } = options
    const unfinished = `${file}.${randomUUID()}`
    const holder = currentHolder()
    const production: Production = new Production({
      file: unfinished,
      make,
      opened: handle => this.#open.add(handle, holder),
      growth: bytes => this.#growth(bytes),
      follows,
      keep: async bytes => {
        if (bytes <= this.#limit && isKept()) await rename(unfinished, file)
      },
      ended: () => {
        if (this.#running.get(name) === production) this.#running.delete(name)
      },
    })
    this.#running.set(name, production)
    const tidy = async () => {
      await rm(unfinished, { force: true })
      await this.#sweep()
    }
    // If this fails, the next production tries again.
    void production.done.then(tidy, tidy).catch(() => {})
    return production
  }

  /** Deletes expired archives, and the oldest ones above the limit. Safe with other processes on the same directory. */
  async #sweep(): Promise<void> {
    const now = this.#now().getTime()
    const kept: { readonly file: string; readonly size: number; readonly used: number }[] = []
    for (const entry of await readdir(this.#directory)) {
      const file = join(this.#directory, entry)
      const facts = await stat(file).catch(() => undefined)
      if (!facts) continue
      const isWhole = !entry.includes('.')
      if (now - facts.mtimeMs > (isWhole ? KEPT : UNFINISHED)) await rm(file, { force: true })
      else if (isWhole) kept.push({ file, size: facts.size, used: facts.mtimeMs })
    }
    let bytes = 0
    for (const { file, size } of kept.sort((one, other) => other.used - one.used)) {
      bytes += size
      if (bytes > this.#limit) await rm(file, { force: true })
    }
  }
}

const caches = new WeakMap<Deps['config'], ArchiveCache>()

/** The cache of an instance. */
export function archivesOf({ config, now }: Pick<Deps, 'config' | 'now'>): ArchiveCache {
  let cache = caches.get(config)
  if (!cache) {
    cache = new ArchiveCache(places(config).archives, config.archiveCache * MEGABYTE, now)
    caches.set(config, cache)
  }
  return cache
}
