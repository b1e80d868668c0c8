/** Reads of diff versions, from the database and git. The number of processes is fixed for each request. */

import type { CommitRow, InProject } from '../../../code/repository/commits/entity.ts'
import type { Db } from '../../../platform/db/connection.ts'
import {
  countCommits,
  type Diff,
  type DiffEntry,
  defaultDiffLimits,
  diffBetween,
  diffPage,
  ImmutableCache,
  listCommits,
  type Repository,
  rawDiffLimits,
} from '../../../platform/git/index.ts'
import { type Slices, slicesOf } from '../../../platform/kernel/answer/page.ts'
import type { MergeRequestRow } from '../queries.ts'
import type { VersionRow, WholeVersion } from './entity.ts'

/** Upper bound of the commits shown with a version; the list of commits has them all. */
const MOST_COMMITS = 1000

/** The versions of a merge request, the latest first. */
export const versionsOf = (db: Db, mergeRequestId: number) =>
  db.selectFrom('merge_request_versions').selectAll().where('merge_request_id', '=', mergeRequestId).orderBy('id', 'desc')

/** How many commits the latest version of a merge request has; undefined before the first one. */
export async function latestCommitsCount(db: Db, mergeRequestId: number): Promise<number | undefined> {
  const latest = await db
    .selectFrom('merge_request_versions')
    .select('commits_count')
    .where('merge_request_id', '=', mergeRequestId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest?.commits_count
}

/** A version of a merge request by its id. */
export const versionIn = (db: Db, mergeRequestId: number, id: number) =>
  versionsOf(db, mergeRequestId).where('id', '=', id).executeTakeFirst()

/** The commits that delimit a version. */
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

/** Diffs of versions: reviewers read the same ones repeatedly. 60 diffs of at most KEPT_TEXT characters, some 15 MB in all. */
const diffs = new ImmutableCache<Diff>(60, ({ entries }) => entries.reduce((length, { diff }) => length + diff.length, 0) <= KEPT_TEXT)
const KEPT_TEXT = 256 * 1024

/** The diff of a version, within the usual limits or, if `isRaw`, the limits of a response. One process, none if it is cached. */
export function diffOf(repository: Repository, { base_commit_sha: base, head_commit_sha: head }: Span, isRaw = false): Promise<Diff> {
  if (isRaw) return diffBetween(repository, base, head, { limits: rawDiffLimits })
  return diffs.get(`${base} ${head}`, () => diffBetween(repository, base, head, { limits: defaultDiffLimits }))
}

/** The files that a version changes; only those on the page are formatted. At most two processes. */
export function diffsOf(repository: Repository, { base_commit_sha, head_commit_sha }: Span, files: number): Slices<DiffEntry> {
  if (files === 0) return slicesOf<DiffEntry>([])
  return {
    slice: async (offset, limit) => (await diffPage(repository, base_commit_sha, head_commit_sha, { offset, limit })).entries,
    count: async limit => Math.min(files, limit),
  }
}

/** A version with its commits and diffs. Two processes, fewer if the diff is cached. */
export async function wholeVersion(repository: Repository, project: InProject, version: VersionRow): Promise<WholeVersion> {
  const commits = await listCommits(repository, { ...rangeOf(version), limit: MOST_COMMITS })
  const { entries } = await diffOf(repository, version)
  return { version, project, commits, diffs: entries }
}
