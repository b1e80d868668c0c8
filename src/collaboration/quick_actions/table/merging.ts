/** The quick actions of merge requests alone: where they go, whether they are ready, who approves, rebasing and merging. */

import { branchRights } from '../../../code/protected_branches/rights.ts'
import { branchExists } from '../../../code/repository/queries.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import { approve, unapprove } from '../../../review/approvals/commands.ts'
import { approvalFacts } from '../../../review/approvals/facts.ts'
import { mayApprove } from '../../../review/approvals/rights.ts'
import { secondOf } from '../../../review/merge_requests/branches.ts'
import { isDraft, titleOf } from '../../../review/merge_requests/drafts.ts'
import { askForRebase, mayRebase } from '../../../review/merge_requests/merging/rebase.ts'
import type { TalkedMergeRequest } from '../../notes/noteable.ts'
import { type Action, change, type Target } from '../action.ts'
import { isSomebody, mayUpdate } from '../targets.ts'

type MergeRequestAction = Action<'merge_request'>

const on = ['merge_request'] as const

const drafting = (wanted: (isNow: boolean) => boolean): Omit<MergeRequestAction, 'names'> => ({
  on,
  may: mayUpdate,
  do({ talked, sofar }) {
    const title = sofar.title ?? talked?.mergeRequest.title ?? ''
    const draft = wanted(isDraft(title))
    return change({ title: titleOf(title, draft) }, { wip_event: draft ? 'draft' : 'ready' })
  },
})

/** What is done with a merge request that is there already. */
const present =
  (may: (target: Target<'merge_request'>, talked: TalkedMergeRequest) => boolean | Promise<boolean>): MergeRequestAction['may'] =>
  target =>
    target.talked !== undefined && may(target, target.talked)

const factsOf = async ({ ctx }: Target<'merge_request'>, { mergeRequest }: TalkedMergeRequest) =>
  (await approvalFacts(ctx.db, ctx.tier, [mergeRequest])).get(mergeRequest.id)!

/** Could it be merged into this branch? Not into one that is not there, nor into itself, nor where another one is open already. */
async function isPossibleTarget({ ctx, place, talked }: Target<'merge_request'>, target_branch: string): Promise<boolean> {
  if (!(await branchExists(ctx, place, target_branch))) return false
  if (!talked) return true
  const { id, source_project_id, source_branch } = talked.mergeRequest
  if (source_project_id === place.id && source_branch === target_branch) return false
  const ends = { source: { id: source_project_id ?? 0 }, target: place }
  return (await secondOf(ctx.db, ends, { source_branch, target_branch }, id)) === undefined
}

export const mergeRequestActions: Readonly<Record<string, MergeRequestAction>> = {
  // Contract: since 14.0 it goes both ways (quick actions).
  draft: { names: ['wip'], ...drafting(isNow => !isNow) },
  ready: drafting(() => false),
  target_branch: {
    on,
    may: mayUpdate,
    do: async (target, target_branch) => ((await isPossibleTarget(target, target_branch)) ? change({ target_branch }) : undefined),
  },
  // Contract: merged in the background, or once the pipeline of what is there now has succeeded (quick actions).
  merge: {
    on,
    may: present(
      async ({ ctx, place }, { mergeRequest }) =>
        mergeRequest.state === 'opened' && isSomebody({ ctx }) && (await branchRights(ctx, place)).mayMerge(mergeRequest.target_branch),
    ),
    do: ({ talked }) => ({
      told: { merge: talked!.mergeRequest.head_sha },
      after: ({ db, actor }, { mergeRequest: { id, head_sha } }) =>
        enqueue(db, 'merge_as_asked', { merge_request_id: id, user_id: actor.user!.id, sha: head_sha }, { maxAttempts: 3 }),
    }),
  },
  rebase: {
    on,
    may: present(({ ctx }, { mergeRequest }) => mayRebase(ctx, mergeRequest)),
    do: () => ({ told: { rebase: true }, after: (ctx, { mergeRequest }) => askForRebase(ctx, mergeRequest, false) }),
  },
  approve: {
    on,
    may: present(async (target, talked) => mayApprove(target.ctx, talked, await factsOf(target, talked))),
    do: () => ({ told: { approve: true }, after: (ctx, talked) => approve(ctx, talked, {}) }),
  },
  unapprove: {
    on,
    may: present(async (target, talked) => {
      const { user } = target.ctx.actor
      return user !== undefined && (await factsOf(target, talked)).approved_by.includes(user.id)
    }),
    do: () => ({ told: { unapprove: true }, after: (ctx, talked) => unapprove(ctx, talked) }),
  },
}
