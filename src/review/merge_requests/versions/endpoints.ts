/** The changes of a merge request, now and in each version (document 3 "Merge request operations"; merge requests API at 14.0). */
import { Readable } from 'node:stream'
import { Commit, type CommitRow } from '../../../code/repository/commits/entity.ts'
import { type DiffEntry, streamDiff, streamPatches } from '../../../platform/git/index.ts'
import { slicesOf } from '../../../platform/kernel/answer/page.ts'
import { bytes, endpoint, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, optional } from '../../../platform/kernel/declaration/types.ts'
import { projectPages } from '../../../spaces/projects/pages/scope.ts'
import { detailParams, withDetails } from '../details/details.ts'
import { inMergeRequest } from '../scope.ts'
import { MergeRequestChanges, MergeRequestDiff, MergeRequestVersion, MergeRequestVersionDetails } from './entity.ts'
import { commitsOf, diffOf, diffsOf, latestSpan, versionsOf, wholeVersion } from './queries.ts'
import { inMergeRequestRepository, inMergeRequestText, inMergeRequestVersion } from './scope.ts'

export const listVersions = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/versions',
  summary: 'List the diff versions of a merge request, the latest first',
  scope: inMergeRequest,
  can: 'read_merge_request',
  answers: pageOf(MergeRequestVersion),
  run: ({ db, mergeRequest }) => versionsOf(db, mergeRequest.id),
})

export const getVersion = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id',
  cost: 'heavy',
  summary: 'Get a diff version with its commits and diffs',
  scope: inMergeRequestVersion,
  can: 'read_merge_request',
  answers: one(MergeRequestVersionDetails),
  run: ({ repository, project, version }) => wholeVersion(repository, project, version),
})

export const listMergeRequestCommits = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/commits',
  cost: 'walk',
  summary: 'List the commits of a merge request',
  scope: inMergeRequestRepository,
  can: 'read_merge_request',
  answers: pageOf(Commit),
  run({ repository, project, mergeRequest }) {
    const span = latestSpan(mergeRequest)
    return span ? commitsOf(repository, project, span) : slicesOf<CommitRow>([])
  },
})

export const getChanges = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/changes',
  cost: 'heavy',
  summary: 'Get a merge request with its changes',
  scope: inMergeRequestRepository,
  can: 'read_merge_request',
  params: {
    ...detailParams,
    // Contract: this endpoint has the parameter (decision 41).
    access_raw_diffs: optional(flag('Ignore the usual limits of diffs')),
  },
  answers: one(MergeRequestChanges),
  async run(ctx) {
    const { repository, project, mergeRequest, params } = ctx
    const span = latestSpan(mergeRequest)
    const { entries = [], overflow = false } = span ? await diffOf(repository, span, params.access_raw_diffs) : {}
    return { row: await withDetails(ctx, project, mergeRequest, params), diffs: entries, overflow }
  },
})

export const listDiffs = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/diffs',
  cost: 'heavy',
  summary: 'List the files that a merge request changes',
  scope: inMergeRequestRepository,
  can: 'read_merge_request',
  answers: pageOf(MergeRequestDiff),
  run({ repository, mergeRequest }) {
    const span = latestSpan(mergeRequest)
    return span ? diffsOf(repository, span, mergeRequest.real_size ?? 0) : slicesOf<DiffEntry>([])
  },
})

export const getRawDiffs = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/raw_diffs',
  cost: 'heavy',
  summary: 'Get the raw diff of a merge request',
  scope: inMergeRequestRepository,
  can: 'read_merge_request',
  answers: bytes('text/plain'),
  run({ repository, mergeRequest }) {
    const span = latestSpan(mergeRequest)
    return { body: span ? Readable.from(streamDiff(repository, span.base_commit_sha, span.head_commit_sha)) : '' }
  },
})

const textOf = (format: 'diff' | 'patch', summary: string) =>
  endpoint({
    route: `GET /:project_path/-/merge_requests/:merge_request_iid.${format}`,
    summary,
    scope: inMergeRequestText,
    can: 'read_merge_request',
    cost: 'heavy',
    dialect: projectPages,
    answers: bytes('text/plain'),
    run({ repository, mergeRequest }) {
      const span = repository && latestSpan(mergeRequest)
      if (!span) return { body: '' }
      const stream = format === 'diff' ? streamDiff : streamPatches
      return { body: Readable.from(stream(repository, span.base_commit_sha, span.head_commit_sha)) }
    },
  })

export const getMergeRequestDiff = textOf('diff', 'Download the changes of a merge request as one diff')
export const getMergeRequestPatch = textOf('patch', 'Download the changes of a merge request as a patch for each commit')
