/** Reads of commits. */
import {
  type Commit,
  type CommitFilter,
  countCommits,
  listCommits,
  pathParts,
  type Repository,
  resolveCommits,
  trailersOf,
} from '../../../platform/git/index.ts'
import type { Slices } from '../../../platform/kernel/answer/page.ts'
import { slicesOf } from '../../../platform/kernel/answer/page.ts'
import type { CommitRow, InProject } from './entity.ts'

export interface CommitFilters {
  readonly ref_name?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly path?: string | undefined
  /** Part of `Name <email>` of the author. */
  readonly author?: string | undefined
  /** Part of the message, in any case of letters. */
  readonly message?: string | undefined
  readonly all?: boolean | undefined
  readonly first_parent?: boolean | undefined
  readonly order?: 'default' | 'topo' | undefined
  readonly trailers?: boolean | undefined
}

/** The matching commits, newest first; none for an unknown revision. One process for a page, one for the count. */
export async function commitsMatching(
  repository: Repository,
  project: InProject & { readonly default_branch: string | null },
  filters: CommitFilters,
): Promise<Slices<CommitRow>> {
  const range = filters.all ? ({ from: 'all' } as const) : await rangeOf(repository, filters.ref_name || project.default_branch || 'HEAD')
  if (!range || !isPath(filters.path)) return slicesOf<CommitRow>([])
  const filter: CommitFilter = {
    ...range,
    path: filters.path,
    since: instant(filters.since),
    until: instant(filters.until),
    firstParent: filters.first_parent,
    message: filters.message || undefined,
    // With a part of the message, both are texts.
    ...(filters.author ? { author: filters.message ? filters.author : asPattern(filters.author) } : {}),
  }
  const row = (commit: Commit): CommitRow => ({
    commit,
    project,
    repository,
    ...(filters.trailers ? { trailers: trailersOf(commit.message) } : {}),
  })
  return {
    slice: async (offset, limit) => (await listCommits(repository, { ...filter, order: filters.order, offset, limit })).map(row),
    count: limit => countCommits(repository, filter, limit),
  }
}

/** A text as a basic regular expression (POSIX) that matches it as it is. */
const asPattern = (text: string): string => text.replace(/[.*[\]^$\\]/g, '\\$&')

/** Is the path valid for a file or directory? The empty path is the whole repository. */
const isPath = (path = ''): boolean => path === '' || pathParts(path.replace(/\/$/, '')) !== undefined

const instant = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text))

/** `ref`, or `from..to`: the commits of `to` that `from` lacks. Undefined if one of them is unknown. */
async function rangeOf(repository: Repository, name: string): Promise<Pick<CommitFilter, 'from' | 'except'> | undefined> {
  const ends = name.split('..')
  const commits = await resolveCommits(repository, ends.length === 2 ? ends.map(end => end || 'HEAD') : [name])
  const [first, second] = commits
  if (first === undefined || (ends.length === 2 && second === undefined)) return undefined
  return ends.length === 2 ? { from: [second as string], except: [first] } : { from: [first] }
}
