/** Approvals of merge requests (merge request approvals API at 14.0). Rules: rules/endpoints.ts. */

import { endpoint, nothing, one } from '../../platform/kernel/declaration/endpoint.ts'
import { integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { setApprovalsRequired } from '../merge_requests/details/approvals_required.ts'
import { inMergeRequest } from '../merge_requests/scope.ts'
import * as commands from './commands.ts'
import { ApprovalState, Approvals } from './entity.ts'
import { assertRulesAreEditable } from './scope.ts'

const path = '/projects/:id/merge_requests/:merge_request_iid' as const

export const getApprovals = endpoint({
  route: `GET ${path}/approvals`,
  summary: 'Get the approvals of a merge request and how many are missing',
  scope: inMergeRequest,
  can: 'read_merge_request',
  answers: one(Approvals),
  run: ({ project, mergeRequest }) => ({ project, mergeRequest }),
})

export const getApprovalState = endpoint({
  route: `GET ${path}/approval_state`,
  summary: 'Get the rules that apply to a merge request, each with its approvals',
  scope: inMergeRequest,
  can: 'read_merge_request',
  tier: 'premium',
  answers: one(ApprovalState),
  run: ({ project, mergeRequest }) => ({ project, mergeRequest }),
})

export const setApprovals = endpoint({
  route: `POST ${path}/approvals`,
  summary: 'Set how many approvals a merge request needs; counts only above the number of its project',
  scope: inMergeRequest,
  can: 'update_merge_request',
  tier: 'premium',
  params: { approvals_required: integer('Number of approvals that are required', { minimum: 0, maximum: 100, examples: [2] }) },
  answers: one(Approvals),
  async run(ctx) {
    const { db, project, mergeRequest, params } = ctx
    assertRulesAreEditable(project)
    await setApprovalsRequired(db, mergeRequest.id, params.approvals_required)
    return { project, mergeRequest: { ...mergeRequest, approvals_before_merge: params.approvals_required } }
  },
})

export const approveMergeRequest = endpoint({
  route: `POST ${path}/approve`,
  summary: 'Approve a merge request',
  scope: inMergeRequest,
  can: 'read_merge_request',
  params: {
    sha: optional(text('The commit that was reviewed; 409 when the source branch has moved on')),
    approval_password: optional(text('Password of the caller, where the project requires it', { writeOnly: true })),
  },
  answers: one(Approvals),
  errors: ['conflict'],
  async run(ctx) {
    await commands.approve(ctx, ctx, ctx.params)
    return { project: ctx.project, mergeRequest: ctx.mergeRequest }
  },
})

export const unapproveMergeRequest = endpoint({
  route: `POST ${path}/unapprove`,
  summary: 'Withdraw one’s approval of a merge request',
  scope: inMergeRequest,
  can: 'read_merge_request',
  answers: one(Approvals),
  async run(ctx) {
    await commands.unapprove(ctx, ctx)
    return { project: ctx.project, mergeRequest: ctx.mergeRequest }
  },
})

export const resetApprovals = endpoint({
  route: `PUT ${path}/reset_approvals`,
  summary: 'Reset all approvals of a merge request',
  scope: inMergeRequest,
  can: 'admin_project',
  answers: { ...nothing, status: 202 },
  run: ({ db, mergeRequest }) => commands.resetApprovals(db, mergeRequest.id),
})
