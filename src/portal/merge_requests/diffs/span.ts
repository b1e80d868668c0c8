/** Which changes of a merge request a page shows: those of a version, what came between two versions, or those of one commit. */
import { type Commit, checkMerge, endsOf, listCommits, type ObjectId, type Repository } from '../../../platform/git/index.ts'
import { integer, optional, type ParamsOf, text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import type { VersionRow } from '../../../review/merge_requests/versions/entity.ts'
import { type Span, versionsOf } from '../../../review/merge_requests/versions/queries.ts'
import type { Caller } from '../page.ts'

const sha = '^([0-9a-f]{40}|[0-9a-f]{64})?$'

export const spanParams = {
  diff_id: optional(integer('ID of the version that is shown; the latest unless given', { minimum: 1 })),
  start_sha: optional(text('Newest commit of the version that it is compared with; the target branch unless given', { pattern: sha })),
  commit_id: optional(text('ID of a commit of the merge request that is shown alone', { pattern: sha })),
}

/** Versions and commits that a page offers. */
const MOST_VERSIONS = 100
const MOST_COMMITS = 200

/** The changes that are shown. */
export interface ShownSpan {
  /** What is compared: commits, or the tree of one. */
  readonly from: ObjectId
  readonly to: ObjectId
  /** The commits that have the files of both sides. */
  readonly before: ObjectId | undefined
  /** Latest first. */
  readonly versions: readonly VersionRow[]
  readonly version: VersionRow | undefined
  /** The version that it is compared with. */
  readonly start: VersionRow | undefined
  /** The branch was rebased between the two: `left_out`, what came by that is not shown; `shown`, it cannot be kept apart. */
  readonly rebased: 'left_out' | 'shown' | undefined
  readonly isLatest: boolean
  /** Those of the version, oldest first; read where one of them is shown, or `wantsCommits`. */
  readonly commits: readonly Commit[]
  readonly commit: Commit | undefined
}

type Input = Caller & { readonly params: ParamsOf<typeof spanParams> }

/** Reads what the address names, or 404. `latest`: the newest version. */
export async function shownSpan(ctx: Input, repository: Repository, latest: Span, wantsCommits: boolean): Promise<ShownSpan> {
  const { db, mergeRequest, params } = ctx
  const versions = await versionsOf(db, mergeRequest.id).limit(MOST_VERSIONS).execute()
  const version = params.diff_id === undefined ? versions[0] : versions.find(({ id }) => id === params.diff_id)
  if (!version && params.diff_id !== undefined) throw notFound('Version')
  const span: Span = version ?? latest
  const start = params.start_sha ? versions.find(({ head_commit_sha }) => head_commit_sha === params.start_sha) : undefined
  if (params.start_sha && !start) throw notFound('Version')
  const commits =
    wantsCommits || params.commit_id
      ? (await listCommits(repository, { from: [span.head_commit_sha], except: [span.start_commit_sha], limit: MOST_COMMITS })).toReversed()
      : []
  const commit = params.commit_id ? commits.find(({ id }) => id === params.commit_id) : undefined
  if (params.commit_id && !commit) throw notFound('Commit')
  const known = { versions, version, commits, commit, isLatest: version === versions[0] }
  if (commit) {
    const { from, to } = endsOf(commit)
    return { ...known, from, to, before: commit.parent_ids[0], start: undefined, rebased: undefined }
  }
  const to = span.head_commit_sha
  if (!start || start.id === version?.id) {
    const from = span.base_commit_sha
    return { ...known, from, to, before: from, start: undefined, rebased: undefined }
  }
  const before = start.head_commit_sha
  if (start.base_commit_sha === span.base_commit_sha) return { ...known, from: before, to, before, start, rebased: undefined }
  // The earlier version as it would be on the newer base: what others did on the target branch meanwhile is no change of this one.
  const moved = await checkMerge(repository, { target: span.base_commit_sha, source: before })
  return moved.kind === 'clean'
    ? { ...known, from: moved.tree, to, before, start, rebased: 'left_out' }
    : { ...known, from: before, to, before, start, rebased: 'shown' }
}
