/**
 * Cache of archives, in files named by their content: each revision is packed once. Access is checked before the cache is used. The least
 * recently used archives are evicted first.
 */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { places } from '../../../platform/config.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { Production } from './production.ts'

const MEGABYTE = 1024 * 1024

/** Lifetime of an archive after its last use, in milliseconds; a deleted project's archives are gone by then. */
const KEPT = 24 * 60 * 60 * 1000

/** Age at which files left by a crash are deleted. */
const UNFINISHED = 6 * 60 * 60 * 1000

/** The bytes of an archive: a complete file, or a stream in progress. */
export type Found =
  | { readonly whole: FileHandle; readonly size: number }
  | { readonly bytes: AsyncIterable<Buffer>; readonly work: Promise<void> }

export class ArchiveCache {
  readonly #directory: string
  readonly #limit: number
  readonly #now: () => Date
  readonly #running = new Map<string, Production>()

  /** @param limit total bytes of complete archives that are kept */
  constructor(directory: string, limit: number, now: () => Date) {
    this.#directory = directory
    this.#limit = limit
    this.#now = now
  }

  /**
   * The archive of this name, created if it is missing. Concurrent requests share one production.
   * @param isKept asked when it is complete: whether it is for later requests too
   */
  async get(name: string, make: (signal: AbortSignal) => AsyncIterable<Buffer>, isKept: () => boolean = () => true): Promise<Found> {
    const file = join(this.#directory, createHash('sha256').update(name).digest('hex'))
    if (!this.#running.has(name)) {
      const whole = await this.#whole(file)
      if (whole) return whole
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    }
    // No `await` between here and `join`: the production could end meanwhile.
    const production = this.#running.get(name) ?? this.#produce(name, file, make, isKept)
    return { bytes: await production.join(), work: production.done }
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
    return { whole: handle, size: (await handle.stat()).size }
  }

  #produce(name: string, file: string, make: (signal: AbortSignal) => AsyncIterable<Buffer>, isKept: () => boolean): Production {
    const unfinished = `${file}.${randomUUID()}`
    const production: Production = new Production({
      file: unfinished,
      make,
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
