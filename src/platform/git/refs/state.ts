/** What the references of a repository are, found without reading them. */
import { createHash } from 'node:crypto'
import { type BigIntStats, type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Repository } from '../storage/repository.ts'

type Place = Pick<Repository, 'path'>

/** Directories and files of references that are looked at; a repository with more of them has not been packed for long. */
const MOST_DIRECTORIES = 100
const MOST_FILES = 2_000

/** A change younger than this may be followed by another one that the file system gives the same time. In milliseconds. */
const SETTLED_AFTER = 1_000

/** The state of all references. */
export interface StateOfRefs {
  /** Another one whenever a reference or the configuration of the repository has changed since. */
  readonly version: string
  /** Bytes of the references that are packed; besides these there are 2,000 at most. */
  readonly packed: number
}

/**
 * The state of the references of a repository, the hidden ones among them. Undefined if it cannot be known: something has changed in the last second, or
 * there are too many files.
 *
 * A reference changes by a file that is renamed or removed, which the system notes as the time of change of its directory (`ctime`, which nobody
 * can set). Synchronous: on a local disk this takes microseconds for each directory, and git would be started for it otherwise.
 */
export function stateOfRefs({ path }: Place): StateOfRefs | undefined {
  const facts = new Facts(path)
  for (const name of ['HEAD', 'config']) facts.note(name)
  const packed = Number(facts.note('packed-refs')?.size ?? 0)
  const directories = ['refs']
  let files = 0
  for (let at = 0; at < directories.length; at += 1) {
    if (at === MOST_DIRECTORIES) return undefined
    const directory = directories[at] as string
    // Looked at before it is read: what comes meanwhile makes it younger.
    facts.note(directory)
    for (const entry of entriesOf(join(path, directory))) {
      if (entry.isDirectory()) directories.push(`${directory}/${entry.name}`)
      else if (!entry.isFile()) return undefined
      else files += 1
    }
    if (files > MOST_FILES) return undefined
  }
  const version = facts.version()
  return version === undefined ? undefined : { version, packed }
}

/** Another text whenever the configuration of the repository has changed since; undefined if it has changed in the last second, or there is none. */
export function stateOfConfig({ path }: Place): string | undefined {
  const facts = new Facts(path)
  return facts.note('config') && facts.note('HEAD') && facts.version()
}

/** What the system knows of files of a repository. */
class Facts {
  readonly #path: string
  readonly #digest = createHash('sha256')
  #youngest = 0n

  constructor(path: string) {
    this.#path = path
    this.#digest.update(path)
  }

  /** Looks at a file, which may be missing. */
  note(name: string): BigIntStats | undefined {
    const stats = statSync(join(this.#path, name), { bigint: true, throwIfNoEntry: false })
    this.#digest.update(`\0${name}\0${stats ? `${stats.dev} ${stats.ino} ${stats.size} ${stats.ctimeNs}` : ''}`)
    if (stats && stats.ctimeNs > this.#youngest) this.#youngest = stats.ctimeNs
    return stats
  }

  /** Of all that was noted; undefined if some of it is too young to differ from what comes next. */
  version(): string | undefined {
    const isSettled = this.#youngest + BigInt(SETTLED_AFTER) * 1_000_000n < BigInt(Date.now()) * 1_000_000n
    return isSettled ? this.#digest.digest('hex') : undefined
  }
}

/** The entries of a directory, in a fixed order; none if it has just been removed. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
