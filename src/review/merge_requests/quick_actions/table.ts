/** The quick actions of merge requests alone: where they go, whether they are ready, who reviews and approves, rebasing and merging. */
import { branchRights } from '../../../code/protected_branches/rights.ts'
import { branchExists } from '../../../code/repository/queries.ts'
import { type Action, type Actions, change, type ItemTypes, type Target } from '../../../collaboration/quick_actions/action.ts'
import { listOfPeople } from '../../../collaboration/quick_actions/table/people.ts'
import { isSomebody, mayUpdate } from '../../../collaboration/quick_actions/targets.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { approve, unapprove } from '../../approvals/commands.ts'
import { approvalFacts } from '../../approvals/facts.ts'
import { mayApprove } from '../../approvals/rights.ts'
import { secondOf } from '../branches.ts'
import { isDraft, titleOf } from '../drafts.ts'
import { askForRebase, mayRebase } from '../merging/rebase.ts'
import type { NoteableMergeRequest } from '../noteable.ts'
import type { MergeRequestRow } from '../queries.ts'
import type { MergeRequestChanges } from '../update.ts'

/** Merge requests in the types of quick actions. */
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

/** What is done with a merge request that is there already. */
const present =
  (may: (target: MergeRequestTarget, noteable: NoteableMergeRequest) => boolean | Promise<boolean>): MergeRequestAction['may'] =>
  target =>
    target.noteable !== undefined && may(target, target.noteable)

const factsOf = async ({ ctx }: MergeRequestTarget, { mergeRequest }: NoteableMergeRequest) =>
  (await approvalFacts(ctx.db, ctx.tier, [mergeRequest])).get(mergeRequest.id)!

/** Could it be merged into this branch? Not into one that is not there, nor into itself, nor where another one is open already. */
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
  // Contract: since 14.0 it goes both ways (quick actions).
  draft: { names: ['wip'], ...drafting(isNow => !isNow) },
  ready: drafting(() => false),
  target_branch: {
    may: mayUpdate,
    do: async (target, target_branch) => ((await isPossibleTarget(target, target_branch)) ? change({ target_branch }) : undefined),
  },
  // Contract: merged in the background, or once the pipeline of what is there now has succeeded (quick actions).
  merge: {
    may: present(
      async ({ ctx, place }, { mergeRequest }) =>
        mergeRequest.state === 'opened' && isSomebody({ ctx }) && (await branchRights(ctx, place)).mayMerge(mergeRequest.target_branch),
    ),
    do: ({ noteable }) => ({
      told: { merge: noteable!.mergeRequest.head_sha },
      after: ({ db, actor }, { mergeRequest: { id, head_sha } }) =>
        enqueue(db, 'merge_as_asked', { merge_request_id: id, user_id: actor.user!.id, sha: head_sha }, { maxAttempts: 3 }),
    }),
  },
  rebase: {
    may: present(({ ctx }, { mergeRequest }) => mayRebase(ctx, mergeRequest)),
    do: () => ({ told: { rebase: true }, after: (ctx, { mergeRequest }) => askForRebase(ctx, mergeRequest, false) }),
  },
  approve: {
    may: present(async (target, noteable) => mayApprove(target.ctx, noteable, await factsOf(target, noteable))),
    do: () => ({ told: { approve: true }, after: (ctx, noteable) => approve(ctx, noteable, {}) }),
  },
  unapprove: {
    may: present(async (target, noteable) => {
      const { user } = target.ctx.actor
      return user !== undefined && (await factsOf(target, noteable)).approved_by.includes(user.id)
    }),
    do: () => ({ told: { unapprove: true }, after: (ctx, noteable) => unapprove(ctx, noteable) }),
  },
}
