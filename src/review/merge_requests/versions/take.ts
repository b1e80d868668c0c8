/**
 * Makes a version the latest one of a merge request, with all that follows from commits that nobody has seen in it: however they came, by a push, while it
 * was closed, or with another target.
 */

import { trackPositions } from '../../../collaboration/notes/positions/position_tracking.ts'
import { insertNotes } from '../../../collaboration/notes/writing/write.ts'
import type { ChangeSet } from '../../../platform/events/audit/kinds.ts'
import {
  type Commit,
  countCommits,
  listCommits,
  mergeRequestRef,
  type ObjectId,
  type Repository,
  setRef,
} from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { setCodeOwners } from '../../approvals/code_owners.ts'
import { resetApprovalsOnPush, withdrawCommitters } from '../../approvals/commands.ts'
import type { MergeRequestRow } from '../queries.ts'
import { recordVersion, type SurveyedVersion } from './record.ts'

/** Upper bound of the new commits that a note lists. */
const MOST_LISTED = 100

/** A version that was read from git, with the commits that the merge request gains by it. */
export interface NewVersion {
  readonly version: SurveyedVersion
  readonly news: { readonly count: number; readonly oldestFirst: readonly Commit[] }
  /** Does it have commits that the version before it had not: by a push, or since another target lacks them? Approvals were not given for these. */
  readonly gains: boolean
}

/** Reads what is new in a version, before locks are taken. @param repository of the target */
export async function withNews(repository: Repository, row: MergeRequestRow, version: SurveyedVersion): Promise<NewVersion> {
  if (row.head_sha === version.head_commit_sha) {
    const { head_commit_sha, start_commit_sha, commits_count } = version
    const starts = row.start_commit_sha === null ? [] : [row.start_commit_sha]
    const kept = await countCommits(repository, { from: [head_commit_sha], except: [start_commit_sha, ...starts] })
    return { version, news: { count: 0, oldestFirst: [] }, gains: commits_count > kept }
  }
  const known = [version.start_commit_sha, ...(row.head_sha === null ? [] : [row.head_sha])]
  const filter = { from: [version.head_commit_sha], except: known }
  const commits = await listCommits(repository, { ...filter, order: 'topo', limit: MOST_LISTED })
  const count = commits.length < MOST_LISTED ? commits.length : await countCommits(repository, filter)
  return { version, news: { count, oldestFirst: commits.toReversed() }, gains: true }
}

/**
 * Makes a version the latest one, including the git reference that clients fetch. `ctx.db` is a transaction that has locked the merge request.
 * @param before the locked row
 * @param project the target; undefined where it was deleted
 * @returns the change of the head, to be recorded with the other changes; empty where it stays
 */
export async function takeVersion(
  ctx: Context,
  repository: Repository,
  project: ProjectRow | undefined,
  before: MergeRequestRow,
  { version, news, gains }: NewVersion,
): Promise<ChangeSet> {
  const { db, now } = ctx
  const { base_commit_sha, start_commit_sha, head_commit_sha } = version
  const isHeadNew = before.head_sha !== head_commit_sha
  if (!isHeadNew && before.base_commit_sha === base_commit_sha && before.start_commit_sha === start_commit_sha) return {}
  await recordVersion(db, before.id, version, now)
  await setCodeOwners(db, before, version.code_owners)
  if (isHeadNew) await noteNews(ctx, before.id, news)
  if (gains) await resetApprovalsOnPush(db, [before.id])
  // With another target the same head has other commits.
  await withdrawCommitters(db, before.id, version.commits)
  if (project) await trackPositions(ctx, repository, project, before, version)
  await setRef(repository, mergeRequestRef(before.iid, 'head'), head_commit_sha)
  return isHeadNew ? { head_sha: { from: before.head_sha, to: head_commit_sha } } : {}
}

/** Adds a note that lists the new commits; none if there are none, as after a reset of the branch. */
async function noteNews({ db, actor, now }: Context, mergeRequestId: number, { count, oldestFirst }: NewVersion['news']): Promise<void> {
  if (!actor.user || count === 0) return
  const lines = oldestFirst.map(({ id, title }) => `* ${short(id)} - ${title}`)
  const more = count > oldestFirst.length ? [`* and ${count - oldestFirst.length} before these`] : []
  const body = `added ${count} commit${count === 1 ? '' : 's'}\n\n${[...more, ...lines].join('\n')}`
  await insertNotes(db, [{ merge_request_id: mergeRequestId, author_id: actor.user.id, action: 'commit', body, created_at: now }])
}

const short = (id: ObjectId): string => id.slice(0, 8)
