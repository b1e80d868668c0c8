/** Caches of a project's jobs on this machine: a zip for each key. */
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cache } from '../payload.ts'
import { applies } from '../payload.ts'
import { filesMatching } from './globs.ts'
import { sortedByPlace } from './inside.ts'
import { unzipInto, writeZip } from './zip.ts'

export interface CacheOptions {
  /** The project's directory: one file for each key. */
  readonly directory: string
  /** The working copy. */
  readonly project: string
  readonly expanded: (text: string) => string
  /** The fallback key, used if there is no cache under the cache's own key. */
  readonly fallbackKey: string | undefined
  readonly say: (line: string) => void
  /** Untracked files. */
  readonly untracked: () => Promise<readonly string[]>
  /** Ends reading and writing. */
  readonly signal: AbortSignal
}

/** The file of a key: any text becomes a valid name. */
const fileOf = ({ directory }: CacheOptions, key: string): string =>
  join(directory, `${encodeURIComponent(key).replaceAll('.', '%2E')}.zip`)

const keyOf = ({ key }: Cache, { expanded }: CacheOptions): string => expanded(key || 'default') || 'default'

const policies = ['pull-push', 'pull', 'push']

/** Unpacks a job's caches into its working copy; an unreadable cache counts as absent. @throws Error for an unknown policy */
export async function restoreCaches(caches: readonly Cache[], options: CacheOptions): Promise<void> {
  for (const cache of caches) {
    const policy = cache.policy || 'pull-push'
    if (!policies.includes(policy)) throw new Error(`unknown cache policy ${policy}`)
    if (policy === 'push' || !hasFiles(cache)) continue
    const keys = [keyOf(cache, options), ...(options.fallbackKey ? [options.fallbackKey] : [])]
    for (const key of keys) {
      options.say(`Checking cache for ${key}...`)
      const file = fileOf(options, key)
      if (!(await exists(file))) {
        options.say('There is no such cache yet')
        continue
      }
      try {
        options.say(`Restored ${await unzipInto(file, options.project, options.signal)} files`)
        break
      } catch (error) {
        options.signal.throwIfAborted()
        options.say(`WARNING: the cache cannot be read: ${(error as Error).message}`)
      }
    }
  }
}

/** Stores a job's caches for later ones; a cache file appears atomically. */
export async function saveCaches(caches: readonly Cache[], succeeded: boolean, options: CacheOptions): Promise<void> {
  for (const cache of caches) {
    if (cache.policy === 'pull' || !applies(cache.when, succeeded) || !hasFiles(cache)) continue
    const key = keyOf(cache, options)
    options.say(`Creating cache ${key}...`)
    const { files, missing } = await filesMatching(options.project, (cache.paths ?? []).map(options.expanded))
    for (const pattern of missing) options.say(`WARNING: ${pattern}: no matching files`)
    const found = [...new Set([...files, ...(cache.untracked ? await options.untracked() : [])])]
    const { inside: all, outside } = await sortedByPlace(options.project, found, false)
    for (const path of outside) options.say(`WARNING: ${path}: left out, since it lies outside of the directory of the project`)
    await mkdir(options.directory, { recursive: true, mode: 0o700 })
    const file = fileOf(options, key)
    const unfinished = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
    try {
      await writeZip(options.project, all, unfinished, options.signal)
      await rename(unfinished, file)
      options.say(`Created cache of ${all.length} files`)
    } catch (error) {
      options.signal.throwIfAborted()
      options.say(`WARNING: the cache cannot be written: ${(error as Error).message}`)
    } finally {
      await rm(unfinished, { force: true })
    }
  }
}

const hasFiles = ({ paths, untracked }: Cache): boolean => (paths ?? []).length > 0 || untracked === true

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
