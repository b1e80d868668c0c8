/** The differences of merge requests: their latest version, and the commits that it needs. */

import type { Selectable } from 'kysely'
import type { DB } from '../../../../platform/db/schema.ts'
import { insertRows, insertRowsWithIds } from '../../../../platform/db/statements/insert_rows.ts'
import {
  deleteRefs,
  diffBetween,
  isValidShortName,
  keepAround,
  listBranches,
  listCommits,
  listMergeRequestHeads,
  mergeRequestRef,
  type ObjectId,
  type Repository,
  readCommits,
  readRefs,
  setRef,
} from '../../../../platform/git/index.ts'
import { setLatestVersions } from '../../../../review/merge_requests/versions/record.ts'
import { timesOf } from '../../../archives/importing/import.ts'
import { ArchiveRefused } from '../../../archives/reading/refused.ts'
import type { Row } from '../../../archives/reading/row.ts'
import type { ProjectImport } from '../../importing/state.ts'
import { BranchNames } from './branch_names.ts'

/** Commits of a version that an archive has, the newest first. */
const MOST_COMMITS = 1000

/** The version of a merge request as archives write it, without its commits and files. */
export const exportedVersion = (version: Selectable<DB['merge_request_versions']>) => ({
  id: version.id,
  state: version.state,
  created_at: version.created_at,
  updated_at: version.created_at,
  base_commit_sha: version.base_commit_sha,
  head_commit_sha: version.head_commit_sha,
  start_commit_sha: version.start_commit_sha,
  real_size: String(version.real_size),
  commits_count: version.commits_count,
  files_count: version.real_size,
})

/** A row of `merge_requests.ndjson` with the commits and files of its version; without a version where there is no repository. */
export async function withDifferences(
  repository: Repository | undefined,
  row: { readonly merge_request_diff?: ReturnType<typeof exportedVersion> },
): Promise<object> {
  const { merge_request_diff: version, ...rest } = row
  if (!version || !repository) return rest
  const { base_commit_sha, head_commit_sha, start_commit_sha } = version
  const [commits, diff] = await Promise.all([
    listCommits(repository, { from: [head_commit_sha], except: [start_commit_sha], limit: MOST_COMMITS }),
    diffBetween(repository, base_commit_sha, head_commit_sha),
  ])
  const merge_request_diff = {
    ...version,
    merge_request_diff_commits: commits.map(({ id, message, author, committer }, relative_order) => ({
      relative_order,
      sha: id,
      message,
      authored_date: author.date,
      author_name: author.name,
      author_email: author.email,
      committed_date: committer.date,
      committer_name: committer.name,
      committer_email: committer.email,
    })),
    merge_request_diff_files: diff.entries.map((entry, relative_order) => ({
      relative_order,
      utf8_diff: entry.diff,
      new_path: entry.new_path,
      old_path: entry.old_path,
      a_mode: entry.a_mode,
      b_mode: entry.b_mode,
      new_file: entry.new_file,
      renamed_file: entry.renamed_file,
      deleted_file: entry.deleted_file,
      too_large: false,
      binary: false,
    })),
  }
  return { ...rest, merge_request_diff }
}

/** Where a merge request comes from, here. */
export interface Source {
  /** Undefined: the project that it came from is not here. */
  readonly branch: string | undefined
  /** The tip; undefined where its commit is not in the archive. */
  readonly head: ObjectId | undefined
  readonly start: ObjectId | undefined
  readonly base: ObjectId | undefined
}

/** The commits of an archive that the repository has. */
async function commitsHere({ repository }: ProjectImport, ids: readonly (string | undefined)[]): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(ids.filter(id => id !== undefined))]
  if (!repository || wanted.length === 0) return new Set()
  const found = await readCommits(repository, wanted)
  return new Set(wanted.filter((_, at) => found[at] !== undefined))
}

const shasOf = (row: Row) => {
  const diff = row.row('merge_request_diff')
  const base = diff?.maybeCommit('base_commit_sha')
  return {
    base,
    start: diff?.maybeCommit('start_commit_sha') ?? base,
    head:
      diff?.maybeCommit('head_commit_sha') ??
      row.maybeCommit('diff_head_sha') ??
      diff?.rows('merge_request_diff_commits')[0]?.maybeCommit('sha'),
  }
}

/**
 * Where merge requests come from. Contract: one from a fork comes from a branch of the project itself, which is made of its commits (import and export
 * of projects at 14.0).
 */
export async function sourcesOf(state: ProjectImport, rows: readonly Row[]): Promise<Source[]> {
  const shas = rows.map(shasOf)
  const here = await commitsHere(
    state,
    shas.flatMap(({ base, head, start }) => [base, head, start]),
  )
  const known = (id: string | undefined) => (id !== undefined && here.has(id) ? id : undefined)
  const sources: Source[] = []
  for (const [at, row] of rows.entries()) {
    const branch = row.text('source_branch', 255)
    for (const name of [branch, row.text('target_branch', 255)])
      if (!isValidShortName(name))
        throw new ArchiveRefused(`merge_requests: ${JSON.stringify(name)} is not a name of a branch`, 'merge_requests')
    const [head, start, base] = [known(shas[at]?.head), known(shas[at]?.start), known(shas[at]?.base)]
    const isFork = row.maybeId('source_project_id') !== row.maybeId('target_project_id')
    const isOpen = ['opened', 'locked'].includes(row.maybeText('state', 255) ?? 'opened')
    if (head === undefined && isOpen)
      state.failures.push({
        relation: 'merge_requests',
        source: `!${row.maybeInteger('iid') ?? '?'}`,
        message: 'It is closed here: its commits are not in the archive',
      })
    sources.push({
      head,
      start,
      base,
      branch: isFork && isOpen ? await branchFor(state, row, branch, head) : isFork ? undefined : branch,
    })
  }
  return sources
}

/** The branches of the repositories of imports. */
const branchesOf = new WeakMap<ProjectImport, BranchNames>()

/** A branch for an open merge request from a fork; undefined where none of its names is free. */
async function branchFor(state: ProjectImport, row: Row, branch: string, head: ObjectId | undefined): Promise<string | undefined> {
  const { repository } = state
  if (!repository || head === undefined) return undefined
  const names = branchesOf.get(state) ?? new BranchNames((await listBranches(repository)).map(({ name }) => name))
  branchesOf.set(state, names)
  const iid = row.iid()
  const free = [branch, `fork-${iid}-${branch}`, `fork-${iid}-${branch.replaceAll('/', '-')}`].find(name => names.take(name))
  if (free !== undefined) await setRef(repository, `refs/heads/${free}`, head)
  return free
}

/** Writes the versions of merge requests whose commits are here, and keeps those commits. */
export async function importVersions(
  state: ProjectImport,
  items: readonly { readonly id: number; readonly iid: number; readonly row: Row; readonly source: Source }[],
): Promise<void> {
  const { db, repository } = state
  const whole = items.flatMap(({ source: { head, start, base }, ...item }) =>
    head !== undefined && start !== undefined && base !== undefined ? [{ ...item, head, start, base }] : [],
  )
  if (!repository || whole.length === 0) return
  await keepAround(
    repository,
    whole.flatMap(({ head, start, base }) => [head, start, base]),
  )
  const refs = await readRefs(
    repository,
    whole.map(({ iid }) => mergeRequestRef(iid, 'head')),
  )
  for (const [at, { iid, head }] of whole.entries()) if (refs[at] !== head) await setRef(repository, mergeRequestRef(iid, 'head'), head)
  const ids = await insertRowsWithIds(
    db,
    'merge_request_versions',
    whole.map(({ id, row, head, start, base }) => {
      const diff = row.row('merge_request_diff')
      return {
        merge_request_id: id,
        head_commit_sha: head,
        base_commit_sha: base,
        start_commit_sha: start,
        state: diff?.oneOf('state', versionStates) ?? 'collected',
        // A large number is written as `1000+`.
        real_size: Number.parseInt(String(diff?.raw('real_size') ?? ''), 10) || diff?.rows('merge_request_diff_files').length || 0,
        commits_count: diff?.maybeInteger('commits_count') ?? diff?.rows('merge_request_diff_commits').length ?? 0,
        created_at: diff ? timesOf(state, diff).created_at : timesOf(state, row).created_at,
      }
    }),
  )
  await setLatestVersions(db, ids)
  await insertRows(
    db,
    'merge_request_commits',
    whole.flatMap(({ id, row }) => {
      const commits = row.row('merge_request_diff')?.rows('merge_request_diff_commits') ?? []
      const shas = new Set(commits.slice(0, MOST_COMMITS).flatMap(commit => commit.maybeCommit('sha') ?? []))
      return [...shas].map(sha => ({ merge_request_id: id, sha }))
    }),
  )
}

/** Drops the heads that the bundle has for merge requests which the archive has not, or whose rows name another commit: they would be fetched as theirs. */
export async function dropStrayHeads({ repository, db, project }: ProjectImport): Promise<void> {
  if (!repository) return
  const heads = await listMergeRequestHeads(repository)
  if (heads.size === 0) return
  const rows = await db.selectFrom('merge_requests').select(['iid', 'head_sha']).where('project_id', '=', project.id).execute()
  const known = new Map(rows.map(({ iid, head_sha }) => [iid, head_sha]))
  await deleteRefs(
    repository,
    [...heads].filter(([iid, id]) => known.get(iid) !== id).map(([iid]) => mergeRequestRef(iid, 'head')),
  )
}

const versionStates = ['collected', 'empty', 'overflow', 'overflow_diff_files_limit', 'overflow_diff_lines_limit', 'without_files'] as const
