/** Endpoints of single issues (document 3 "Issue", "Issue operations"; issues API at 14.0). Lists: lists/endpoints.ts. */
import { UserAgentDetail } from '../../identity/users/activity/user_agent.ts'
import { endpoint, nothing, one } from '../../platform/kernel/declaration/endpoint.ts'
import { integer, optional } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { atLeastOne } from '../../platform/kernel/request/params.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { createIssueFromRequest } from './changes/creation/from_request.ts'
import * as order from './changes/reorder.ts'
import { removeIssue, subscribeToIssue } from './commands.ts'
import { IssueDetails } from './entity.ts'
import { updateIssueWithQuickActions } from './item_kind/quick_actions/with_quick_actions.ts'
import { issueChangeParams, newIssueParams, oneEpic, permitted } from './params.ts'
import { userAgentOf } from './queries.ts'
import { inAnyIssue, inIssue } from './scope.ts'

export const getIssueForAdmins = endpoint({
  route: 'GET /issues/:id',
  summary: 'Get any issue by its id; administrators only',
  scope: inAnyIssue,
  can: 'admin_instance',
  answers: one(IssueDetails),
  run: ({ issue }) => issue,
})

export const getIssue = endpoint({
  route: 'GET /projects/:id/issues/:issue_iid',
  summary: 'Get an issue',
  scope: inIssue,
  can: 'read_issue',
  answers: one(IssueDetails),
  run: ({ issue }) => issue,
})

export const createIssue = endpoint({
  route: 'POST /projects/:id/issues',
  summary: 'Create an issue',
  scope: inProject,
  can: 'create_issue',
  params: newIssueParams,
  rules: [oneEpic],
  answers: one(IssueDetails),
  errors: ['conflict'],
  writes: 'own',
  run: ctx => createIssueFromRequest(ctx, ctx.project, permitted(ctx, ctx.project, ctx.params), ctx.params),
})

export const updateIssue = endpoint({
  route: 'PUT /projects/:id/issues/:issue_iid',
  summary: 'Change, close or reopen an issue',
  scope: inIssue,
  can: 'update_issue',
  params: issueChangeParams,
  rules: [
    oneEpic,
    atLeastOne(
      'title',
      'description',
      ...(Object.keys(issueChangeParams) as string[]).filter(name => !['title', 'description'].includes(name)),
    ),
  ],
  answers: one(IssueDetails),
  run: ctx => updateIssueWithQuickActions(ctx, ctx.project, ctx.issue, permitted(ctx, ctx.project, ctx.params, ['confidential'])),
})

export const deleteIssue = endpoint({
  route: 'DELETE /projects/:id/issues/:issue_iid',
  summary: 'Delete an issue',
  scope: inIssue,
  can: 'destroy_issue',
  answers: nothing,
  run: ctx => removeIssue(ctx, ctx.issue),
})

export const reorderIssue = endpoint({
  route: 'PUT /projects/:id/issues/:issue_iid/reorder',
  summary: 'Move an issue between two others in the manual order',
  scope: inIssue,
  can: 'update_issue',
  params: {
    move_after_id: optional(integer('ID of the issue that it comes after')),
    move_before_id: optional(integer('ID of the issue that it comes before')),
  },
  rules: [atLeastOne('move_after_id', 'move_before_id')],
  answers: one(IssueDetails),
  run: ctx => order.reorderIssue(ctx, ctx.issue, ctx.params),
})

export const subscribe = endpoint({
  route: 'POST /projects/:id/issues/:issue_iid/subscribe',
  summary: 'Subscribe to an issue',
  scope: inIssue,
  can: 'subscribe_to_issue',
  answers: one(IssueDetails),
  errors: ['not_modified'],
  run: ctx => subscribeToIssue(ctx, ctx.issue, true),
})

export const unsubscribe = endpoint({
  route: 'POST /projects/:id/issues/:issue_iid/unsubscribe',
  summary: 'End the subscription to an issue',
  scope: inIssue,
  can: 'subscribe_to_issue',
  answers: one(IssueDetails),
  errors: ['not_modified'],
  run: ctx => subscribeToIssue(ctx, ctx.issue, false),
})

const userAgentDetailAt = (name: 'user_agent_detail' | 'user_agent_details') =>
  endpoint({
    route: `GET /projects/:id/issues/:issue_iid/${name}`,
    summary: 'Get the sender details of the request that created an issue; administrators only',
    scope: inIssue,
    can: 'read_user_agent_detail',
    answers: one(UserAgentDetail),
    async run({ db, issue }) {
      const sender = await userAgentOf(db, issue.id)
      if (!sender) throw notFound('UserAgentDetail')
      // This server never reports users to Akismet.
      return { ...sender, akismet_submitted: false }
    },
  })

export const getUserAgentDetail = userAgentDetailAt('user_agent_detail')
/** Contract: gitbeaker requests the plural form (`Issues.showUserAgentDetails`). */
export const getUserAgentDetails = userAgentDetailAt('user_agent_details')
