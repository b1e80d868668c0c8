/** Merging, rebasing and automatic merges (document 3 "Merge request operations"; merge requests API at 14.0). */
import Type from 'typebox'
import { plain } from '../../../platform/kernel/answer/entity.ts'
import { endpoint, one } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { MergeRequestDetails } from '../details/details.ts'
import { inMergeRequest } from '../scope.ts'
import { mergeOrWait } from './auto_merge/after_pipeline.ts'
import * as autoMerge from './auto_merge/auto_merge.ts'
import { writeMergeRef } from './mergeability/merge_ref.ts'
import { requestRebase } from './rebase/rebase.ts'

export const merge = endpoint({
  route: 'PUT /projects/:id/merge_requests/:merge_request_iid/merge',
  summary: 'Merge a merge request, immediately or when its pipeline has succeeded',
  scope: inMergeRequest,
  // mergeNow answers 401 to callers who may not merge (merge.ts).
  can: 'read_merge_request',
  writes: 'own',
  params: {
    merge_commit_message: optional(text('Message of the merge commit')),
    squash_commit_message: optional(text('Message of the squash commit')),
    squash: optional(flag('Squash the commits into one, where the project leaves the choice')),
    should_remove_source_branch: optional(flag('Delete the source branch')),
    merge_when_pipeline_succeeds: optional(flag('Wait for the pipeline of the source branch, if one is running')),
    sha: optional(text('Refuse unless this is the tip of the source branch')),
  },
  answers: one(MergeRequestDetails),
  errors: ['conflict', 'not_acceptable'],
  run: ctx => mergeOrWait(ctx, ctx.project, ctx.mergeRequest, ctx.params, ctx.params.merge_when_pipeline_succeeds ?? false),
})

export const cancelAutoMerge = endpoint({
  route: 'POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds',
  summary: 'Cancel the automatic merge of a merge request',
  scope: inMergeRequest,
  can: 'read_merge_request',
  // Contract: 201 (decision 14).
  answers: one(MergeRequestDetails),
  run: ctx => autoMerge.cancelAutoMerge(ctx, ctx.project, ctx.mergeRequest),
})

const Rebase = plain('MergeRequestRebase', Type.Object({ rebase_in_progress: flag('Whether a rebase is under way') }))

export const rebase = endpoint({
  route: 'PUT /projects/:id/merge_requests/:merge_request_iid/rebase',
  summary: 'Rebase the source branch of a merge request onto its target branch, in the background',
  scope: inMergeRequest,
  // requestRebase answers 403 to callers who may not push to the source branch (rebase.ts).
  can: 'read_merge_request',
  params: { skip_ci: optional(flag('Create no pipeline for the rebased commits')) },
  answers: one(Rebase, 202),
  errors: ['conflict'],
  async run(ctx) {
    await requestRebase(ctx, ctx.mergeRequest, ctx.params.skip_ci ?? false)
    return { rebase_in_progress: true }
  },
})

const MergeRef = plain('MergeRef', Type.Object({ commit_id: text('ID of the merge commit') }))

export const getMergeRef = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/merge_ref',
  cost: 'walk',
  summary: 'Merge both branches into the merge reference, and get its commit',
  scope: inMergeRequest,
  can: 'read_merge_request',
  writes: 'own',
  answers: one(MergeRef),
  errors: ['bad_request'],
  run: async ctx => ({ commit_id: await writeMergeRef(ctx, ctx.mergeRequest) }),
})
