/** The caches of a job, as its runner is told of them. Keys that are made of files become what those files are at the commit. */
import { createHash } from 'node:crypto'
import { lastCommitFor } from '../../git/commits/history.ts'
import type { Context } from '../../kernel/context.ts'
import type { CacheOption } from '../config/plan.ts'
import type { JobRow } from '../jobs/queries.ts'

/** A cache, which runners keep by themselves. */
export interface CacheEntry {
  readonly key: string
  readonly paths: readonly string[]
  readonly untracked: boolean
  readonly policy: 'pull-push' | 'pull' | 'push'
  readonly when: 'on_success' | 'on_failure' | 'always'
}

/** The key of a cache that names none. */
const STANDARD_KEY = 'default'

/** Where the files are that a key is made of. */
interface Place {
  readonly project: { readonly id: number; readonly repository_storage: string }
  readonly sha: string
}

/** All caches of a job. */
export async function cacheOf(ctx: Context, { options }: JobRow, place: Place): Promise<CacheEntry[]> {
  const entries: CacheEntry[] = []
  for (const option of options.cache ?? []) {
    const { paths = [], untracked = false, policy = 'pull-push', when = 'on_success' } = option
    entries.push({ key: await keyOf(ctx, option, place), paths, untracked, policy, when })
  }
  return entries
}

async function keyOf({ deps }: Context, { key, key_files }: CacheOption, { project, sha }: Place): Promise<string> {
  if (!key_files) return key ?? STANDARD_KEY
  const repository = deps.storages.repository(project)
  const changes = await Promise.all([...new Set(key_files.files)].map(path => lastCommitFor(repository, sha, path)))
  const ids = changes.flatMap(commit => (commit ? [commit.id] : [])).sort()
  // Contract: a key of files that are not there is `default` (public documentation of `cache:key:files`).
  const made = ids.length === 0 ? STANDARD_KEY : createHash('sha1').update(ids.join('-')).digest('hex')
  return key_files.prefix === undefined ? made : `${key_files.prefix}-${made}`
}
