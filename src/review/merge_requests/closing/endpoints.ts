/** Issues that merge requests close, and related merge requests (document 3 "Issue operations", "Merge request operations"). */

import { inCommit } from '../../../code/repository/commits/scope.ts'
import { Issue } from '../../../planning/issues/entity.ts'
import { inIssue } from '../../../planning/issues/scope.ts'
import { endpoint, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { MergeRequest } from '../entity.ts'
import { inMergeRequest } from '../scope.ts'
import { issuesClosedBy, issuesRelatedTo, mergeRequestsClosing, mergeRequestsRelatedTo, mergeRequestsWith } from './queries.ts'

export const listClosedIssues = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/closes_issues',
  summary: 'List the issues that the merge closes',
  scope: inMergeRequest,
  can: 'read_merge_request',
  answers: pageOf(Issue),
  run: ctx => issuesClosedBy(ctx, ctx.project, ctx.mergeRequest.id),
})

// Contract: added after 14.0, but current clients call it (gitbeaker `MergeRequests.allIssuesRelated`).
export const listRelatedIssues = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/related_issues',
  summary: 'List the issues related to a merge request',
  scope: inMergeRequest,
  can: 'read_merge_request',
  answers: pageOf(Issue),
  run: ctx => issuesRelatedTo(ctx, ctx.project, ctx.mergeRequest.id),
})

export const listClosingMergeRequests = endpoint({
  route: 'GET /projects/:id/issues/:issue_iid/closed_by',
  summary: 'List the merge requests that close an issue when they are merged',
  scope: inIssue,
  can: 'read_issue',
  answers: pageOf(MergeRequest),
  run: ctx => mergeRequestsClosing(ctx, ctx.project, ctx.issue.id),
})

export const listRelatedMergeRequests = endpoint({
  route: 'GET /projects/:id/issues/:issue_iid/related_merge_requests',
  summary: 'List the merge requests related to an issue',
  scope: inIssue,
  can: 'read_issue',
  answers: pageOf(MergeRequest),
  run: ctx => mergeRequestsRelatedTo(ctx, ctx.project, ctx.issue.id),
})

/** A commit that may belong to merge requests. It has its own name so that tests can give it a commit that does. */
const inProposedCommit = within(inCommit, { name: 'inProposedCommit', path: {}, load: async () => ({}) })

export const listMergeRequestsOfCommit = endpoint({
  route: 'GET /projects/:id/repository/commits/:sha/merge_requests',
  summary: 'List the merge requests that contain a commit, or were merged by it',
  scope: inProposedCommit,
  can: 'read_merge_request',
  answers: pageOf(MergeRequest),
  run: ctx => mergeRequestsWith(ctx, ctx.project, ctx.commit.commit.id),
})
