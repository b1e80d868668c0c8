/** Differences between two trees, as the API shows them. One process per diff. */

import { listCommits, mergeBase } from '../commits/history.ts'
import { tookTooMuch } from '../errors.ts'
import type { Commit } from '../objects/commit-object.ts'
import { emptyTreeId, type ObjectId, objectId } from '../objects/oid.ts'
import { comparingLarge, streamGit } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'
import type { Diff, DiffEntry } from './diff-entry.ts'
import { DiffReader } from './diff-reader.ts'
import { type DiffLimits, defaultDiffLimits } from './limits.ts'
import { listChangedFiles, pairing } from './raw-entries.ts'

export interface DiffOptions {
  readonly limits?: DiffLimits
  /** Only these paths (files or directories). */
  readonly paths?: readonly string[]
  /** Lines that differ in white space alone are the same; a file in which nothing else differs has an empty diff. */
  readonly ignoresWhitespace?: boolean
}

/** The difference between two commits or trees, by id. */
export async function diffBetween(repository: Repository, from: ObjectId, to: ObjectId, options: DiffOptions = {}): Promise<Diff> {
  return readDiff(repository, from, to, options, [])
}

async function readDiff(
  repository: Repository,
  from: ObjectId,
  to: ObjectId,
  { limits = defaultDiffLimits, paths = [], ignoresWhitespace = false }: DiffOptions,
  more: readonly string[],
): Promise<Diff> {
  return comparingLarge(async environment => {
    const reader = new DiffReader(limits, ignoresWhitespace)
    const git = streamGit(repository, {
      subcommand: 'diff-tree',
      flags: ['--raw', '--patch', ...pairing, ...(ignoresWhitespace ? ['--ignore-all-space'] : []), ...more],
      values: [objectId(from), objectId(to)],
      paths,
      environment,
    })
    for await (const chunk of git) {
      reader.push(chunk)
      if (reader.full) break
    }
    return reader.finish()
  })
}

/** Some of the files of a diff: `files` tells how many there are in all. */
export interface DiffPage {
  readonly entries: readonly DiffEntry[]
  readonly files: number
}

/**
 * `limit` files of a diff, `offset` files passed over. Only theirs are formatted; the limits other than the number of files hold
 * for the page. One process for the first page, two for any other.
 */
export async function diffPage(
  repository: Repository,
  from: ObjectId,
  to: ObjectId,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  { limits = defaultDiffLimits, ...options }: Omit<DiffOptions, 'paths'> = {},
): Promise<DiffPage> {
  if (offset === 0) return diffBetween(repository, from, to, { ...options, limits: { ...limits, files: limit } })
  const files = await listChangedFiles(repository, from, to)
  if (offset >= files.length) return { entries: [], files: files.length }
  // A name that no argument can hold is reached from the last one before it that can be named.
  let start = offset
  while (start > 0 && files[start]!.argument === undefined) start -= 1
  const named = files[start]!.argument
  const skip = named === undefined ? [] : ['--skip-to', named]
  const { entries } = await readDiff(repository, from, to, { ...options, limits: { ...limits, files: offset - start + limit } }, skip)
  return { entries: entries.slice(offset - start), files: files.length }
}

/** A raw diff may be read slowly. In milliseconds. */
const TIME_TO_STREAM = 60 * 60 * 1000

/** The difference between two commits or trees as `git diff` writes it, whole, at constant memory. One process. */
export function streamDiff(repository: Repository, from: ObjectId, to: ObjectId): AsyncGenerator<Buffer, void, void> {
  return streamGit(repository, {
    subcommand: 'diff-tree',
    flags: ['--patch', ...pairing],
    values: [objectId(from), objectId(to)],
    paths: [],
    timeoutMs: TIME_TO_STREAM,
  })
}

/** The commits that lead from one to another as `git am` takes them, one mail each, whole, at constant memory. One process. */
export function streamPatches(repository: Repository, from: ObjectId, to: ObjectId): AsyncGenerator<Buffer, void, void> {
  return streamGit(repository, {
    subcommand: 'format-patch',
    flags: ['--stdout'],
    values: [`${objectId(from)}..${objectId(to)}`],
    timeoutMs: TIME_TO_STREAM,
  })
}

/** One commit as `git am` takes it, at constant memory; nothing of a merge, as no patch can be made of it. One process. */
export function streamPatch(
  repository: Repository,
  { id, parent_ids }: Pick<Commit, 'id' | 'parent_ids'>,
): AsyncGenerator<Buffer, void, void> {
  return streamGit(repository, {
    subcommand: 'format-patch',
    flags: ['--stdout', '--root'],
    values: [objectId(id), ...parent_ids.map(parent => `^${objectId(parent)}`)],
    timeoutMs: TIME_TO_STREAM,
  })
}

/** The trees between which the changes of a commit lie: its first parent (or nothing, for a first commit), and itself. */
export const endsOf = ({ id, parent_ids }: Pick<Commit, 'id' | 'parent_ids'>): { readonly from: ObjectId; readonly to: ObjectId } => ({
  from: parent_ids[0] ?? emptyTreeId,
  to: id,
})

/** What a commit changed, against its first parent (or nothing, for a first commit). */
export async function diffOfCommit(
  repository: Repository,
  commit: Pick<Commit, 'id' | 'parent_ids'>,
  options: DiffOptions = {},
): Promise<Diff> {
  const { from, to } = endsOf(commit)
  return diffBetween(repository, from, to, options)
}

/** What lies between two commits. */
export interface Comparison {
  /** The commits of `to` that `from` lacks, oldest first. */
  readonly commits: Commit[]
  readonly diff: Diff
  /** Where the diff begins: the common ancestor, or `from` itself when `straight`. */
  readonly base: ObjectId | undefined
  readonly same_ref: boolean
  /** The diff took too long, or too much memory, and is empty. */
  readonly timed_out: boolean
}

/** Where the diff of a comparison begins: at the common ancestor; undefined for two histories without one. */
export const comparisonBase = async (repository: Repository, from: ObjectId, to: ObjectId): Promise<ObjectId | undefined> =>
  from === to ? from : mergeBase(repository, [from, to])

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
  const base = straight ? from : await comparisonBase(repository, from, to)
  if (same_ref) return { commits: [], diff: nothing, base, same_ref, timed_out: false }
  const [newestFirst, diff] = await Promise.all([
    listCommits(repository, { from: [to], except: [from], limit: commitLimit }),
    diffBetween(repository, base ?? from, to, options).catch(error => {
      if (tookTooMuch(error)) return undefined
      throw error
    }),
  ])
  return { commits: newestFirst.toReversed(), diff: diff ?? nothing, base, same_ref, timed_out: diff === undefined }
}

const nothing: Diff = { entries: [], files: 0, overflow: false, exceeded: undefined }
