/**
 * The caches of a job, for its runner. Keys computed from files use those files at the commit. Jobs of
 * protected references share no cache with the others: a Developer's branch must not leave files for jobs that have protected variables.
 */
import { createHash } from 'node:crypto'
import { lastCommitFor } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { CacheOption } from '../../config/index.ts'
import type { JobRow } from '../../jobs/queries.ts'

/** A cache, which runners manage themselves. */
export interface CacheEntry {
  readonly key: string
  readonly paths: readonly string[]
  readonly untracked: boolean
  readonly policy: 'pull-push' | 'pull' | 'push'
  readonly when: 'on_success' | 'on_failure' | 'always'
}

/** The key of a cache without a key. */
const STANDARD_KEY = 'default'

/** The variable that names a fallback cache for runners to try if there is none under the key itself. */
const FALLBACK_KEY = 'CACHE_FALLBACK_KEY'

/** Where a job runs: the input of its keys. */
interface Place {
  readonly project: { readonly id: number; readonly repository_storage: string; readonly ci_separated_caches: boolean }
  /** `protected` also decides which variables the job is given: caches and secrets follow the same rule. */
  readonly pipeline: { readonly sha: string; readonly protected: boolean }
}

/**
 * The suffix of every key of a job. Neither suffix is a suffix of the other one, and runners expand variables in front of it: whatever
 * key the CI file of an unprotected reference has, it cannot name a cache of a protected one.
 */
function suffixOf({ project, pipeline }: Place): string {
  if (!project.ci_separated_caches) return ''
  return pipeline.protected ? '-protected' : '-non_protected'
}

/** Is the job of a protected reference, and does its project separate those caches? */
export const isKeptApart = ({ project, pipeline }: Place): boolean => project.ci_separated_caches && pipeline.protected

/** All caches of a job. */
export async function cacheOf(ctx: Context, { options }: JobRow, place: Place): Promise<CacheEntry[]> {
  const entries: CacheEntry[] = []
  for (const option of options.cache ?? []) {
    const { paths = [], untracked = false, policy = 'pull-push', when = 'on_success' } = option
    entries.push({ key: (await keyOf(ctx, option, place)) + suffixOf(place), paths, untracked, policy, when })
  }
  return entries
}

/** The variables of a job, with the fallback key limited to the same caches as its keys. Pure. */
export const withFallbackKey = <V extends { readonly key: string; readonly value: string }>(variables: readonly V[], place: Place): V[] =>
  variables.map(each => (each.key === FALLBACK_KEY && each.value !== '' ? { ...each, value: each.value + suffixOf(place) } : each))

async function keyOf({ deps }: Context, { key, key_files }: CacheOption, { project, pipeline: { sha } }: Place): Promise<string> {
  if (!key_files) return key || STANDARD_KEY
  const repository = deps.storages.repository(project)
  const changes = await Promise.all([...new Set(key_files.files)].map(path => lastCommitFor(repository, sha, path)))
  const ids = changes.flatMap(commit => (commit ? [commit.id] : [])).sort()
  // Contract: a key of missing files is `default` (public documentation of `cache:key:files`).
  const made = ids.length === 0 ? STANDARD_KEY : createHash('sha1').update(ids.join('-')).digest('hex')
  return key_files.prefix === undefined ? made : `${key_files.prefix}-${made}`
}
