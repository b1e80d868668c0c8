/** What the merge box needs to know: a fixed number of statements, and at most two processes of git. */
import { branchRights } from '../../../code/protected_branches/rights.ts'
import { presentAll } from '../../../platform/kernel/answer/entity.ts'
import { tierCovers } from '../../../platform/kernel/declaration/types.ts'
import { ApprovalState, Approvals } from '../../../review/approvals/entity.ts'
import { mergeFactsOf } from '../../../review/approvals/merge_facts.ts'
import { resolvableBy } from '../../../review/merge_requests/merging/conflicts/resolve.ts'
import { defaultMessages } from '../../../review/merge_requests/merging/merge.ts'
import { mayRebase } from '../../../review/merge_requests/merging/rebase/rebase.ts'
import { tipsOf } from '../../../review/merge_requests/merging/tips.ts'
import type { ShownMergeRequest } from '../head_view.ts'
import { type Caller, mayIn } from '../page.ts'
import { followUpPath, mayFollowUp, mergeRequestPath } from '../scope.ts'
import type { ShownApprovals, ShownRule } from './approvals_view.ts'
import { deployedOf, deployedView } from './deployed.ts'
import type { MergeBox } from './merge_box.ts'
import { reportsOf } from './reports_data.ts'

export async function mergeBoxOf(ctx: Caller, shown: ShownMergeRequest, unresolved: number): Promise<MergeBox> {
  const { db, project, mergeRequest, tier } = ctx
  const isOpen = mergeRequest.state === 'opened'
  const place = [{ project, mergeRequest }]
  const [facts, [approvals], states, resolver, rebases, messages, source, reports, deployed] = await Promise.all([
    mergeFactsOf(db, tier, [mergeRequest]),
    presentAll(Approvals, ctx, place),
    tierCovers(tier, 'premium') ? presentAll(ApprovalState, ctx, place) : [],
    isOpen && mergeRequest.merge_status === 'cannot_be_merged' ? resolvableBy(ctx, mergeRequest) : undefined,
    isOpen && project.merge_method !== 'merge' ? mayRebase(ctx, mergeRequest) : false,
    isOpen && shown.user.can_merge ? defaultMessages(ctx, project, mergeRequest, ctx.repository) : undefined,
    isOpen ? undefined : sourceBranchOf(ctx),
    reportsOf(ctx),
    deployedOf(ctx),
  ])
  const mayUpdate = mayIn(ctx, 'update_merge_request')
  const { rules = [], approval_rules_overwritten = false } = (states[0] ?? {}) as {
    rules?: readonly ShownRule[]
    approval_rules_overwritten?: boolean
  }
  return {
    ctx,
    shown,
    project,
    facts: facts.get(mergeRequest.id),
    approvals: {
      ...(approvals as unknown as ShownApprovals),
      rules,
      areOwn: approval_rules_overwritten,
      mayChange: mayUpdate && isOpen && tierCovers(tier, 'premium') && !project.disable_overriding_approvers_per_merge_request,
    },
    reports,
    deployed: deployedView(ctx, deployed),
    unresolved,
    followUp: isOpen && mayIn(ctx, 'resolve_thread') && mayFollowUp(ctx.actor, project) ? followUpPath(ctx) : undefined,
    page: mergeRequestPath(ctx),
    may: { update: mayUpdate, resolve: resolver !== undefined, rebase: rebases },
    messages,
    source,
    userId: ctx.actor.user?.id,
    authorId: mergeRequest.author_id,
  }
}

/** Whether the source branch of a merge request that has ended is there, and what the caller may do with it; undefined for a fork's. */
async function sourceBranchOf(ctx: Caller): Promise<MergeBox['source']> {
  const { project, mergeRequest } = ctx
  const { source_branch, source_project_id, head_sha } = mergeRequest
  if (source_project_id !== project.id || !mayIn(ctx, 'push_code') || head_sha === null) return undefined
  const [{ head }, rights] = await Promise.all([tipsOf(ctx, mergeRequest, project), branchRights(ctx, project)])
  const isFree = source_branch !== project.default_branch && !rights.isProtected(source_branch)
  return {
    isThere: head !== undefined,
    mayDelete: head !== undefined && isFree && rights.mayDelete(source_branch),
    mayRestore: head === undefined && rights.mayPush(source_branch),
  }
}
