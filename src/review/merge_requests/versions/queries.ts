/** Reads of diff versions: rows, and what git has for them. The number of processes depends on nothing but the question. */

import type { CommitRow, InProject } from '../../../code/repository/commits/entity.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { countCommits, listCommits } from '../../../platform/git/commits/history.ts'
import type { Diff, DiffEntry } from '../../../platform/git/diffs/diff-entry.ts'
import { diffBetween, diffPage } from '../../../platform/git/diffs/diffs.ts'
import { defaultDiffLimits, rawDiffLimits } from '../../../platform/git/diffs/limits.ts'
import { ImmutableCache } from '../../../platform/git/immutable_cache.ts'
import type { Repository } from '../../../platform/git/repository.ts'
import { type Slices, slicesOf } from '../../../platform/kernel/answer/page.ts'
import type { MergeRequestRow } from '../queries.ts'
import type { VersionRow, WholeVersion } from './entity.ts'

/** Commits of a version that are shown with it; the list of commits has them all. */
const MOST_COMMITS = 1000

/** The versions of a merge request, the latest first. */
export const versionsOf = (db: Db, mergeRequestId: number) =>
  db.selectFrom('merge_request_versions').selectAll().where('merge_request_id', '=', mergeRequestId).orderBy('id', 'desc')

/** A version of a merge request by its id. */
export const versionIn = (db: Db, mergeRequestId: number, id: number) =>
  versionsOf(db, mergeRequestId).where('id', '=', id).executeTakeFirst()

/** What a version lies between. */
export type Span = Pick<VersionRow, 'base_commit_sha' | 'start_commit_sha' | 'head_commit_sha'>

/** The span of the latest version; undefined where there is none. */
export const latestSpan = ({ base_commit_sha, start_commit_sha, head_commit_sha }: MergeRequestRow): Span | undefined =>
  base_commit_sha === null || start_commit_sha === null || head_commit_sha === null
    ? undefined
    : { base_commit_sha, start_commit_sha, head_commit_sha }

const rangeOf = ({ start_commit_sha, head_commit_sha }: Span) => ({ from: [head_commit_sha], except: [start_commit_sha] })

/** The commits of a version, newest first. One process for a page, one for the count. */
export const commitsOf = (repository: Repository, project: InProject, span: Span): Slices<CommitRow> => ({
  slice: async (offset, limit) =>
    (await listCommits(repository, { ...rangeOf(span), offset, limit })).map(commit => ({ commit, project, repository })),
  count: limit => countCommits(repository, rangeOf(span), limit),
})

/** What versions change: what is reviewed is asked for again and again. Diffs kept, and the characters that one may have: some 15 MB in all. */
const diffs = new ImmutableCache<Diff>(60, ({ entries }) => entries.reduce((length, { diff }) => length + diff.length, 0) <= KEPT_TEXT)
const KEPT_TEXT = 256 * 1024

/** What a version changes, within the limits, or as much as can be answered at all. One process, none where it was asked for before. */
export function diffOf(repository: Repository, { base_commit_sha: base, head_commit_sha: head }: Span, isRaw = false): Promise<Diff> {
  if (isRaw) return diffBetween(repository, base, head, { limits: rawDiffLimits })
  return diffs.get(`${base} ${head}`, () => diffBetween(repository, base, head, { limits: defaultDiffLimits }))
}

/** The files that a version changes, of which only those on a page are formatted. Two processes at most. */
export function diffsOf(repository: Repository, { base_commit_sha, head_commit_sha }: Span, files: number): Slices<DiffEntry> {
  if (files === 0) return slicesOf<DiffEntry>([])
  return {
    slice: async (offset, limit) => (await diffPage(repository, base_commit_sha, head_commit_sha, { offset, limit })).entries,
    count: async limit => Math.min(files, limit),
  }
}

/** A version with its commits and diffs. Two processes, fewer where they were asked for before. */
export async function wholeVersion(repository: Repository, project: InProject, version: VersionRow): Promise<WholeVersion> {
  const commits = await listCommits(repository, { ...rangeOf(version), limit: MOST_COMMITS })
  const { entries } = await diffOf(repository, version)
  return { version, project, commits, diffs: entries }
}
