/**
 * Diff versions: the state of a merge request after each push to its source branch (document 3 "Merge request diff version"). Git is
 * read first, outside of any transaction, and the commits are kept from garbage collection before the row names them.
 */
import { sql } from 'kysely'
import { ownersFileAt } from '../../../code/code_owners/read.ts'
import type { Db } from '../../../platform/db/connection.ts'
import {
  type Commit,
  copyCommits,
  type Diff,
  diffBetween,
  keepAround,
  mergeBase,
  missingBytes,
  type ObjectId,
  type Repository,
} from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Stored } from '../../../spaces/projects/repository/store.ts'
import { withRoomForCopy } from '../../../spaces/storage_limits/limits.ts'
import { type OwnersOfVersion, ownersFrom } from '../../approvals/code_owners.ts'
import { commitsOfVersion, rememberCommits } from './commits.ts'

/** A version as read from git. */
export interface SurveyedVersion {
  readonly head_commit_sha: ObjectId
  readonly base_commit_sha: ObjectId
  readonly start_commit_sha: ObjectId
  /** Whether it is empty, and whether it can be shown whole. */
  readonly state: 'empty' | 'collected' | 'overflow' | 'overflow_diff_files_limit' | 'overflow_diff_lines_limit'
  /** Number of changed files. */
  readonly real_size: number
  readonly commits_count: number
  /** The newest commits. */
  readonly commits: readonly Commit[]
  /** Who owns what it changes, by the target branch. */
  readonly code_owners: OwnersOfVersion
}

/** The two repositories of a merge request, with the tips of both branches. */
interface VersionTips {
  readonly target: Repository
  readonly source: Repository
  readonly head: ObjectId
  readonly start: ObjectId
}

/**
 * Surveys a version; reserves room in the target project for commits from a fork.
 * @throws Refusal 400 if the storage limit would be exceeded
 */
export async function surveyWithRoom({ deps }: Pick<Context, 'deps'>, project: Stored, tips: VersionTips): Promise<SurveyedVersion> {
  const { target, source, head } = tips
  const survey = () => surveyVersion(target, source, tips)
  return source.path === target.path ? survey() : withRoomForCopy(deps, project, () => missingBytes(target, source, head), survey)
}

/**
 * Reads what merging `head` into `start` would change. Afterwards `target` keeps the commits of both, whatever happens to their
 * branches. Four processes, a fifth where the target branch has a CODEOWNERS file, and those of a fetch from a fork.
 * @param source the repository of `head`
 */
export async function surveyVersion(
  target: Repository,
  source: Repository,
  { head, start }: { readonly head: ObjectId; readonly start: ObjectId },
): Promise<SurveyedVersion> {
  await copyCommits(target, source, [head])
  await keepAround(target, [start])
  // Histories without a common ancestor are compared directly.
  const base = (await mergeBase(target, [start, head])) ?? start
  const { commits, count: commits_count } = await commitsOfVersion(target, { head, start })
  const { files, exceeded } = await diffBetween(target, base, head)
  return {
    head_commit_sha: head,
    base_commit_sha: base,
    start_commit_sha: start,
    state: commits_count === 0 ? 'empty' : exceeded ? overflows[exceeded] : 'collected',
    real_size: files,
    commits_count,
    commits,
    code_owners: await ownersFrom(target, await ownersFileAt(target, start), { base, head }),
  }
}

const overflows = {
  files: 'overflow_diff_files_limit',
  lines: 'overflow_diff_lines_limit',
  bytes: 'overflow',
  fileBytes: 'overflow',
} as const satisfies Record<NonNullable<Diff['exceeded']>, SurveyedVersion['state']>

/** Inserts a version as the latest one, in the transaction of its cause, without the rules of its code owners. Returns its id. */
export async function recordVersion(db: Db, mergeRequestId: number, version: SurveyedVersion, now: Date): Promise<number> {
  const { commits, code_owners, ...columns } = version
  const shas = commits.map(commit => commit.id)
  const [{ id }] = await Promise.all([
    db
      .with('version', queries =>
        queries
          .insertInto('merge_request_versions')
          .values({ merge_request_id: mergeRequestId, ...columns, created_at: now })
          .returning('id'),
      )
      .updateTable('merge_requests')
      .from('version')
      .set(({ ref }) => ({ latest_version_id: ref('version.id'), head_sha: version.head_commit_sha, code_owners_file: code_owners.file }))
      .where('merge_requests.id', '=', mergeRequestId)
      .returning('version.id')
      .executeTakeFirstOrThrow(),
    rememberCommits(db, mergeRequestId, shas),
  ])
  return id
}

/** Makes these versions, one of each merge request, the latest ones. */
export async function setLatestVersions(db: Db, ids: readonly number[]): Promise<void> {
  await sql`update merge_requests set latest_version_id = version.id from merge_request_versions version
    where version.id = any(${ids}::bigint[]) and merge_requests.id = version.merge_request_id`.execute(db)
}
