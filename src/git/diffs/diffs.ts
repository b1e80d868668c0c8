/** Differences between two trees, as the API shows them. One process per diff. */

import { listCommits, mergeBase } from '../commits/history.ts'
import { GitError } from '../errors.ts'
import type { Commit } from '../objects/commit-object.ts'
import { emptyTreeId, type ObjectId, objectId } from '../objects/oid.ts'
import type { Repository } from '../repository.ts'
import { streamGit } from '../run.ts'
import { type Diff, type DiffLimits, defaultDiffLimits } from './diff-entry.ts'
import { DiffReader } from './diff-reader.ts'

export interface DiffOptions {
  readonly limits?: DiffLimits
  /** Only these paths (files or directories). */
  readonly paths?: readonly string[]
}

/** The difference between two commits or trees, by id. */
export async function diffBetween(repository: Repository, from: ObjectId, to: ObjectId, options: DiffOptions = {}): Promise<Diff> {
  const reader = new DiffReader(options.limits ?? defaultDiffLimits)
  const git = streamGit(repository, {
    subcommand: 'diff-tree',
    flags: ['--raw', '--patch', '-r', '--full-index', '-M', '--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short'],
    values: [objectId(from), objectId(to)],
    paths: options.paths ?? [],
  })
  for await (const chunk of git) {
    reader.push(chunk)
    if (reader.full) break
  }
  return reader.finish()
}

/** What a commit changed, against its first parent (or nothing, for a first commit). */
export async function diffOfCommit(
  repository: Repository,
  commit: Pick<Commit, 'id' | 'parent_ids'>,
  options: DiffOptions = {},
): Promise<Diff> {
  return diffBetween(repository, commit.parent_ids[0] ?? emptyTreeId, commit.id, options)
}

/** What lies between two commits. */
export interface Comparison {
  /** The commits of `to` that `from` lacks, oldest first. */
  readonly commits: Commit[]
  readonly diff: Diff
  /** Where the diff begins: the common ancestor, or `from` itself when `straight`. */
  readonly base: ObjectId | undefined
  readonly same_ref: boolean
  /** The diff took too long and is empty. */
  readonly timed_out: boolean
}

/**
 * Compares two commits. `straight` diffs them directly; otherwise the diff begins at their common ancestor, and two
 * histories without one are diffed directly too.
 */
export async function compare(
  repository: Repository,
  from: ObjectId,
  to: ObjectId,
  { straight = false, commitLimit = 1000, ...options }: DiffOptions & { readonly straight?: boolean; readonly commitLimit?: number } = {},
): Promise<Comparison> {
  const same_ref = from === to
  const base = straight || same_ref ? from : await mergeBase(repository, [from, to])
  if (same_ref) return { commits: [], diff: nothing, base, same_ref, timed_out: false }
  const [newestFirst, diff] = await Promise.all([
    listCommits(repository, { from: [to], except: [from], limit: commitLimit }),
    diffBetween(repository, base ?? from, to, options).catch(error => {
      if (error instanceof GitError && error.kind === 'timeout') return undefined
      throw error
    }),
  ])
  return { commits: newestFirst.toReversed(), diff: diff ?? nothing, base, same_ref, timed_out: diff === undefined }
}

const nothing: Diff = { entries: [], files: 0, overflow: false }
