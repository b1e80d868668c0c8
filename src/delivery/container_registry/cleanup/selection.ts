/** Which tags a cleanup removes. Reads and writes nothing. */
import { setImmediate } from 'node:timers/promises'
import { parseDuration } from '../../../ci/config/index.ts'
import { compiledPattern } from '../../../platform/patterns/patterns.ts'

/** What a cleanup removes, and what it leaves. */
export interface Cleanup {
  /** RE2 pattern of whole names; null: none. */
  readonly name_regex_delete: string | null
  readonly name_regex_keep?: string | null | undefined
  /** How many of the newest ones stay. */
  readonly keep_n?: number | null | undefined
  /** As `parseDuration` reads it. */
  readonly older_than?: string | null | undefined
}

/** A tag as far as a cleanup looks at it. */
export interface Candidate {
  readonly name: string
  readonly image_created_at: string
}

/** Never removed. */
const KEPT_NAME = 'latest'

const matcherOf = (source: string | null | undefined): ((name: string) => boolean) => {
  if (source === null || source === undefined || source === '') return () => false
  const pattern = compiledPattern(source)
  if (!pattern) throw new Error(`${source} is no RE2 pattern`)
  return name => pattern.matches(name)
}

/**
 * The tags that a cleanup removes, the newest first. The order is that of the contract: names, then how many are kept, then their age. A long list
 * lets other work pass in between, since patterns take their time.
 */
export async function tagsToRemove<T extends Candidate>(tags: readonly T[], cleanup: Cleanup, now: Date): Promise<T[]> {
  const [isNamed, isKept] = [matcherOf(cleanup.name_regex_delete), matcherOf(cleanup.name_regex_keep)]
  const named: T[] = []
  for (const tag of tags) {
    if (tag.name !== KEPT_NAME && isNamed(tag.name) && !isKept(tag.name)) named.push(tag)
    await setImmediate()
  }
  const newestFirst = named
    .map(tag => ({ tag, time: Date.parse(tag.image_created_at) }))
    .sort((a, b) => b.time - a.time)
    .slice(cleanup.keep_n ?? 0)
  const seconds = cleanup.older_than ? parseDuration(cleanup.older_than) : undefined
  const before = seconds === undefined ? Number.POSITIVE_INFINITY : now.getTime() - seconds * 1000
  return newestFirst.filter(({ time }) => time < before).map(({ tag }) => tag)
}
