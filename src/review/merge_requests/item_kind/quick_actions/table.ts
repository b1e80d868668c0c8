/** Quick actions of merge requests only: target branch, draft state, reviewers, approvals, rebasing and merging. */
import { branchRights } from '../../../../code/protected_branches/rights.ts'
import { branchExists } from '../../../../code/repository/queries.ts'
import { type Action, type Actions, change, type ItemTypes, type Target } from '../../../../collaboration/quick_actions/action.ts'
import { listOfPeople } from '../../../../collaboration/quick_actions/table/people.ts'
import { isSignedIn, mayUpdate } from '../../../../collaboration/quick_actions/targets.ts'
import { enqueue } from '../../../../platform/events/worker.ts'
import type { ProjectWithRole } from '../../../../spaces/projects/scope.ts'
import { approve, unapprove } from '../../../approvals/commands.ts'
import { approvalFacts } from '../../../approvals/facts.ts'
import { mayApprove } from '../../../approvals/rights.ts'
import { secondOf } from '../../changes/branches.ts'
import { isDraft, titleOf } from '../../changes/drafts.ts'
import type { MergeRequestChanges } from '../../changes/update.ts'
import { mayRebase, requestRebase } from '../../merging/rebase/rebase.ts'
import type { MergeRequestRow } from '../../queries.ts'
import type { NoteableMergeRequest } from '../noteable.ts'

/** Merge requests as the type parameter of quick actions. */
export interface MergeRequestTypes extends ItemTypes {
  readonly place: ProjectWithRole
  readonly noteable: NoteableMergeRequest
  readonly row: MergeRequestRow
  readonly changes: MergeRequestChanges
}

type MergeRequestAction = Action<MergeRequestTypes>
type MergeRequestTarget = Target<MergeRequestTypes>

const drafting = (wanted: (isNow: boolean) => boolean): Omit<MergeRequestAction, 'names'> => ({
  may: mayUpdate,
  do({ noteable, sofar }) {
    const title = sofar.title ?? noteable?.mergeRequest.title ?? ''
    const draft = wanted(isDraft(title))
    return change({ title: titleOf(title, draft) }, { wip_event: draft ? 'draft' : 'ready' })
  },
})

/** An action on an existing merge request. */
const present =
  (may: (target: MergeRequestTarget, noteable: NoteableMergeRequest) => boolean | Promise<boolean>): MergeRequestAction['may'] =>
  target =>
    target.noteable !== undefined && may(target, target.noteable)

const factsOf = async ({ ctx }: MergeRequestTarget, { mergeRequest }: NoteableMergeRequest) =>
  (await approvalFacts(ctx.db, ctx.tier, [mergeRequest])).get(mergeRequest.id)!

/** Can it be retargeted to this branch: one that exists, is not the source, and has no open merge request of the same branches? */
async function isPossibleTarget({ ctx, place, noteable }: MergeRequestTarget, target_branch: string): Promise<boolean> {
  if (!(await branchExists(ctx, place, target_branch))) return false
  if (!noteable) return true
  const { id, source_project_id, source_branch } = noteable.mergeRequest
  if (source_project_id === place.id && source_branch === target_branch) return false
  const ends = { source: { id: source_project_id ?? 0 }, target: place }
  return (await secondOf(ctx.db, ends, { source_branch, target_branch }, id)) === undefined
}

const reviewers = listOfPeople<MergeRequestTypes>(
  ({ sofar, noteable }) => sofar.reviewer_ids ?? noteable?.mergeRequest.reviewer_ids ?? [],
  reviewer_ids => change({ reviewer_ids }),
)

export const mergeRequestActions: Actions<MergeRequestTypes> = {
  assign_reviewer: reviewers.add('reviewer', 'request_review'),
  unassign_reviewer: reviewers.remove('remove_reviewer'),
  reassign_reviewer: reviewers.replace(),
  // Contract: since 14.0 it toggles (quick actions).
  draft: { names: ['wip'], ...drafting(isNow => !isNow) },
  ready: drafting(() => false),
  target_branch: {
    argument: 'branch',
    may: mayUpdate,
    do: async (target, target_branch) => ((await isPossibleTarget(target, target_branch)) ? change({ target_branch }) : undefined),
  },
  // Contract: merged in the background, or when the pipeline of the present commits has succeeded (quick actions).
  merge: {
    may: present(
      async ({ ctx, place }, { mergeRequest }) =>
        mergeRequest.state === 'opened' && isSignedIn({ ctx }) && (await branchRights(ctx, place)).mayMerge(mergeRequest.target_branch),
    ),
    do: ({ noteable }) => ({
      reported: { merge: noteable!.mergeRequest.head_sha },
      after: ({ db, actor }, { mergeRequest: { id, head_sha } }) =>
        enqueue(db, 'merge_as_asked', { merge_request_id: id, user_id: actor.user!.id, sha: head_sha }, { maxAttempts: 3 }),
    }),
  },
  rebase: {
    may: present(({ ctx }, { mergeRequest }) => mayRebase(ctx, mergeRequest)),
    do: () => ({ reported: { rebase: true }, after: (ctx, { mergeRequest }) => requestRebase(ctx, mergeRequest, false) }),
  },
  approve: {
    may: present(async (target, noteable) => mayApprove(target.ctx, noteable, await factsOf(target, noteable))),
    do: () => ({ reported: { approve: true }, after: (ctx, noteable) => approve(ctx, noteable, {}) }),
  },
  unapprove: {
    may: present(async (target, noteable) => {
      const { user } = target.ctx.actor
      return user !== undefined && (await factsOf(target, noteable)).approved_by.includes(user.id)
    }),
    do: () => ({ reported: { unapprove: true }, after: (ctx, noteable) => unapprove(ctx, noteable) }),
  },
}
