/** Endpoints of single merge requests (document 3 "Merge request"; merge requests API at 14.0). Lists: lists/endpoints.ts. */

import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { atLeastOne } from '../../platform/kernel/request/params.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { endsFrom } from './changes/create.ts'
import { removeMergeRequest } from './changes/delete.ts'
import { mergeRequestChangeParams, newMergeRequestParams, permitted } from './changes/params.ts'
import { Reviewer, reviewersOf } from './changes/reviewers.ts'
import { detailParams, MergeRequestDetails, withDetails } from './details/details.ts'
import { isFirstContribution } from './details/first_contribution.ts'
import { createMergeRequestWithQuickActions, updateMergeRequestWithQuickActions } from './item_kind/quick_actions/with_quick_actions.ts'
import { subscribeToMergeRequest } from './item_kind/subscribe.ts'
import { isUnchecked, requestCheck } from './merging/mergeability/check.ts'
import { inMergeRequest } from './scope.ts'

export const getMergeRequest = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid',
  summary: 'Get a merge request',
  scope: inMergeRequest,
  can: 'read_merge_request',
  params: detailParams,
  answers: one(MergeRequestDetails),
  async run(ctx) {
    // Contract: reading one schedules its merge check; the response does not wait for it (document 3 `merge_status`).
    if (isUnchecked(ctx.mergeRequest)) await requestCheck(ctx.db, ctx.mergeRequest.id)
    const [row, first_contribution] = await Promise.all([
      withDetails(ctx, ctx.project, ctx.mergeRequest, ctx.params),
      isFirstContribution(ctx.db, ctx.project, ctx.mergeRequest),
    ])
    return { ...row, asked: { ...row.asked, first_contribution } }
  },
})

export const listReviewers = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/reviewers',
  summary: 'List the reviewers of a merge request and their review states',
  scope: inMergeRequest,
  can: 'read_merge_request',
  answers: pageOf(Reviewer),
  run: ({ db, mergeRequest }) => reviewersOf(db, mergeRequest.id),
})

export const createMergeRequest = endpoint({
  route: 'POST /projects/:id/merge_requests',
  summary: 'Create a merge request, in this project or in the project that it was forked from',
  scope: inProject,
  can: 'create_merge_request_from',
  writes: 'own',
  params: newMergeRequestParams,
  // Contract: 201 (document 3 "Merge request operations").
  answers: one(MergeRequestDetails),
  errors: ['conflict', 'unprocessable'],
  async run(ctx) {
    const { target_project_id, ...given } = ctx.params
    const ends = await endsFrom(ctx, ctx.project, target_project_id)
    return createMergeRequestWithQuickActions(ctx, ends, permitted(ctx, ends.target, given))
  },
})

export const updateMergeRequest = endpoint({
  route: 'PUT /projects/:id/merge_requests/:merge_request_iid',
  summary: 'Change, close or reopen a merge request',
  scope: inMergeRequest,
  can: 'update_merge_request',
  params: mergeRequestChangeParams,
  rules: [atLeastOne(...(Object.keys(mergeRequestChangeParams) as [string, string, ...string[]]))],
  answers: one(MergeRequestDetails),
  errors: ['conflict', 'unprocessable'],
  run: ctx => updateMergeRequestWithQuickActions(ctx, ctx.project, ctx.mergeRequest, permitted(ctx, ctx.project, ctx.params)),
})

export const deleteMergeRequest = endpoint({
  route: 'DELETE /projects/:id/merge_requests/:merge_request_iid',
  summary: 'Delete a merge request',
  scope: inMergeRequest,
  can: 'destroy_merge_request',
  answers: nothing,
  run: ctx => removeMergeRequest(ctx, ctx.mergeRequest),
})

const subscribing = (word: 'subscribe' | 'unsubscribe', summary: string, subscribed: boolean) =>
  endpoint({
    route: `POST /projects/:id/merge_requests/:merge_request_iid/${word}`,
    summary,
    scope: inMergeRequest,
    can: 'subscribe_to_merge_request',
    // Contract: 201 (decision 14).
    answers: one(MergeRequestDetails),
    errors: ['not_modified'],
    run: ctx => subscribeToMergeRequest(ctx, ctx.mergeRequest, subscribed),
  })

export const subscribe = subscribing('subscribe', 'Subscribe to a merge request', true)
export const unsubscribe = subscribing('unsubscribe', 'End the subscription to a merge request', false)
