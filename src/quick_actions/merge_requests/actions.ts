/**
 * The quick actions of merge requests: what a line such as `/draft` or `/label ~bug` in a note does, and who may (public behaviour at
 * 14.0). They work by the commands that the API uses; there is no second way.
 */
import { allows } from '../../access/abilities.ts'
import { approve, unapprove } from '../../approvals/commands.ts'
import { approvalFacts } from '../../approvals/facts.ts'
import { mayApprove } from '../../approvals/rights.ts'
import { awardableThing } from '../../award_emoji/awardable.ts'
import { toggleAward } from '../../award_emoji/commands.ts'
import { enqueue } from '../../events/worker.ts'
import type { Context } from '../../kernel/context.ts'
import { labelsById } from '../../labels/queries.ts'
import { isDraft, titleOf } from '../../merge_requests/drafts.ts'
import { askForRebase, mayRebase } from '../../merge_requests/merging/rebase.ts'
import type { MergeRequestChanges } from '../../merge_requests/update.ts'
import { subjectOf, type TalkedMergeRequest } from '../../notes/noteable.ts'
import { branchRights } from '../../protected_branches/rights.ts'
import { setSubscription } from '../../subscriptions/commands.ts'
import { addSpentTime, resetSpentTime, setTimeEstimate } from '../../time_tracking/commands.ts'
import { addTodos, finishTodos } from '../../todos/write.ts'
import { emojiNamed } from '../attributes.ts'
import { issueNamed, labelsNamed, mergeRequestNamed, milestoneNamed, peopleNamed } from '../targets.ts'
import { estimateIn, spendingIn } from '../times.ts'

/** A merge request with what earlier actions of the same text make of it. */
export interface Target {
  readonly ctx: Context
  readonly noteable: TalkedMergeRequest
  readonly project: TalkedMergeRequest['project']
  readonly sofar: MergeRequestChanges
}

/** What one action comes to; as in the table of issues. */
export interface Effect {
  readonly changes?: MergeRequestChanges
  /** What clients are told, under the public names (`commands_changes`). */
  readonly told?: Readonly<Record<string, unknown>>
  /** What is done once the merge request is changed. A refusal of it refuses the whole request. */
  readonly after?: (ctx: Context, noteable: TalkedMergeRequest) => Promise<void>
  /** What stands at the end of the text in the action's place. */
  readonly text?: string
}

/** A quick action. One that the actor may not use, or with an argument that means nothing, does nothing. */
interface Action {
  readonly names?: readonly string[]
  may(target: Target): boolean | Promise<boolean>
  do(target: Target, argument: string): Effect | undefined | Promise<Effect | undefined>
}

const may =
  (ability: 'update_merge_request' | 'admin_merge_request') =>
  ({ ctx, noteable }: Target): boolean =>
    allows(ctx.actor, ability, subjectOf(noteable, noteable.isOwn)) === 'yes'
const mayUpdate = may('update_merge_request')
const mayPlan = may('admin_merge_request')
const isSomebody = ({ ctx }: Pick<Target, 'ctx'>): boolean => ctx.actor.user !== undefined

const change = (changes: MergeRequestChanges, told: Readonly<Record<string, unknown>> = { ...changes }): Effect => ({ changes, told })

async function mergeRequestAt(target: Target, argument: string) {
  const found = await mergeRequestNamed(target, argument)
  return found && { ...found.mergeRequest, at: found.project }
}

/** The three ways of naming people for one list of them. */
function people(list: 'assignee_ids' | 'reviewer_ids', now: (target: Target) => readonly number[]) {
  const set = (ids: readonly number[]) => change({ [list]: ids })
  const add: Action['do'] = async (target, argument) => {
    const named = await peopleNamed(target, argument)
    if (named.length === 0) return undefined
    return set(target.ctx.tier === 'free' ? named : [...new Set([...now(target), ...named])])
  }
  const remove: Action['do'] = async (target, argument) => {
    if (argument === '' || target.ctx.tier === 'free') return set([])
    const named = await peopleNamed(target, argument)
    return named.length === 0 ? undefined : set(now(target).filter(id => !named.includes(id)))
  }
  const replace: Action['do'] = async (target, argument) => {
    const named = await peopleNamed(target, argument)
    return named.length === 0 ? undefined : set(named)
  }
  return { add, remove, replace }
}
const assignees = people('assignee_ids', ({ sofar, noteable }) => sofar.assignee_ids ?? noteable.mergeRequest.assignee_ids)
const reviewers = people('reviewer_ids', ({ sofar, noteable }) => sofar.reviewer_ids ?? noteable.mergeRequest.reviewer_ids)

/** Labels that an argument names, as one of the changes of labels. */
const labels =
  (effect: (found: readonly { id: number; name: string }[]) => Effect): Action['do'] =>
  async (target, argument) => {
    const found = await labelsNamed(target, argument)
    return found.length === 0 ? undefined : effect(found)
  }
const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name)
const idsOf = (found: readonly { id: number }[]) => found.map(({ id }) => id)

const drafting = (wanted: (isNow: boolean) => boolean): Action => ({
  may: mayUpdate,
  do({ noteable, sofar }) {
    const title = sofar.title ?? noteable.mergeRequest.title
    const draft = wanted(isDraft(title))
    return { changes: { title: titleOf(title, draft) }, told: { wip_event: draft ? 'draft' : 'ready' } }
  },
})

const subscription = (subscribed: boolean): Action => ({
  may: isSomebody,
  do: () => ({
    told: { subscription_event: subscribed ? 'subscribe' : 'unsubscribe' },
    after: ({ db, actor, now }, { key }) => setSubscription(db, actor.user!.id, key, subscribed, now),
  }),
})

const words = (text: string): Action => ({ may: () => true, do: (_target, argument) => ({ text: `${argument} ${text}`.trim() }) })

/** May the actor approve, or has approved and may take it back? */
async function mayJudge({ ctx, noteable }: Target): Promise<boolean> {
  const facts = (await approvalFacts(ctx.db, ctx.tier, [noteable.mergeRequest])).get(noteable.mergeRequest.id)!
  return mayApprove(ctx, noteable, facts)
}

const tracked = ({ id, project_id }: { id: number; project_id: number }) => ({ noun: 'merge_request' as const, id, project_id })

const estimate = (seconds: number): Effect => ({
  told: { time_estimate: seconds },
  after: async (ctx, { mergeRequest }) => void (await setTimeEstimate(ctx, tracked(mergeRequest), seconds)),
})

const table: Readonly<Record<string, Action>> = {
  close: {
    may: target => mayUpdate(target) && target.noteable.mergeRequest.state === 'opened',
    do: () => change({ state_event: 'close' }),
  },
  reopen: {
    may: target => mayUpdate(target) && target.noteable.mergeRequest.state === 'closed',
    do: () => change({ state_event: 'reopen' }),
  },
  title: { may: mayUpdate, do: (_target, title) => (title === '' || title.length > 255 ? undefined : change({ title })) },
  // Contract: since 14.0 it goes both ways (quick actions).
  draft: { names: ['wip'], ...drafting(isNow => !isNow) },
  ready: drafting(() => false),
  target_branch: {
    may: mayUpdate,
    do: (_target, target_branch) => (target_branch === '' ? undefined : change({ target_branch })),
  },
  label: {
    names: ['labels'],
    may: mayPlan,
    do: labels(found => change({ add_labels: namesOf(found) }, { add_label_ids: idsOf(found) })),
  },
  unlabel: {
    names: ['remove_label'],
    may: mayPlan,
    do: (target, argument) =>
      argument === ''
        ? change({ labels: [], add_labels: [] }, { label_ids: [] })
        : labels(found => change({ remove_labels: namesOf(found) }, { remove_label_ids: idsOf(found) }))(target, argument),
  },
  relabel: { may: mayPlan, do: labels(found => change({ labels: namesOf(found), add_labels: [] }, { label_ids: idsOf(found) })) },
  assign: { may: mayPlan, do: assignees.add },
  unassign: { names: ['remove_assignee'], may: mayPlan, do: assignees.remove },
  reassign: { may: target => target.ctx.tier !== 'free' && mayPlan(target), do: assignees.replace },
  assign_reviewer: { names: ['reviewer', 'request_review'], may: mayPlan, do: reviewers.add },
  unassign_reviewer: { names: ['remove_reviewer'], may: mayPlan, do: reviewers.remove },
  reassign_reviewer: { may: target => target.ctx.tier !== 'free' && mayPlan(target), do: reviewers.replace },
  milestone: {
    may: mayPlan,
    async do(target, argument) {
      const milestone_id = await milestoneNamed(target, argument)
      return milestone_id === undefined ? undefined : change({ milestone_id })
    },
  },
  remove_milestone: { may: mayPlan, do: () => change({ milestone_id: null }) },
  lock: { may: mayPlan, do: () => change({ discussion_locked: true }) },
  unlock: { may: mayPlan, do: () => change({ discussion_locked: false }) },
  estimate: {
    names: ['estimate_time'],
    may: mayPlan,
    do(_target, argument) {
      const seconds = estimateIn(argument)
      return seconds === undefined ? undefined : estimate(seconds)
    },
  },
  remove_estimate: { names: ['remove_time_estimate'], may: mayPlan, do: () => estimate(0) },
  spend: {
    names: ['spent', 'spend_time'],
    may: mayPlan,
    do({ ctx }, argument) {
      const spent = spendingIn(ctx, argument)
      if (!spent) return undefined
      const { seconds, spending, told } = spent
      return {
        told: { spend_time: told },
        async after(ctx, { mergeRequest }) {
          // More than was spent cannot be taken back.
          if (mergeRequest.total_time_spent + seconds >= 0) await addSpentTime(ctx, tracked(mergeRequest), seconds, spending)
        },
      }
    },
  },
  remove_time_spent: {
    may: mayPlan,
    do: () => ({
      told: { spend_time: { duration: 'reset' } },
      after: async (ctx, { mergeRequest }) => void (await resetSpentTime(ctx, tracked(mergeRequest))),
    }),
  },
  // Contract: merged in the background, or once the pipeline of what is there now has succeeded (quick actions).
  merge: {
    async may({ ctx, project, noteable: { mergeRequest } }) {
      return (
        mergeRequest.state === 'opened' && isSomebody({ ctx }) && (await branchRights(ctx, project)).mayMerge(mergeRequest.target_branch)
      )
    },
    do: ({ noteable: { mergeRequest } }) => ({
      told: { merge: mergeRequest.head_sha },
      after: ({ db, actor }, { mergeRequest: { id, head_sha } }) =>
        enqueue(db, 'merge_as_asked', { merge_request_id: id, user_id: actor.user!.id, sha: head_sha }, { maxAttempts: 3 }),
    }),
  },
  rebase: {
    may: async ({ ctx, noteable }) => mayRebase(ctx, noteable.mergeRequest),
    do: () => ({ told: { rebase: true }, after: (ctx, { mergeRequest }) => askForRebase(ctx, mergeRequest, false) }),
  },
  approve: {
    may: mayJudge,
    do: () => ({ told: { approve: true }, after: (ctx, noteable) => approve(ctx, noteable, {}) }),
  },
  unapprove: {
    async may({ ctx, noteable }) {
      const facts = (await approvalFacts(ctx.db, ctx.tier, [noteable.mergeRequest])).get(noteable.mergeRequest.id)!
      return ctx.actor.user !== undefined && facts.approved_by.includes(ctx.actor.user.id)
    },
    do: () => ({ told: { unapprove: true }, after: (ctx, noteable) => unapprove(ctx, noteable) }),
  },
  copy_metadata: {
    may: mayPlan,
    async do(target, argument) {
      const issue = await issueNamed(target, argument)
      const other = issue ? { ...issue.issue, at: issue.project } : await mergeRequestAt(target, argument)
      if (!other) return undefined
      const found = [...(await labelsById(target.ctx.db, other.label_ids)).values()]
      // A milestone of another project does not serve here.
      const milestone = other.at.id === target.project.id && other.milestone_id !== null ? { milestone_id: other.milestone_id } : {}
      return change({ add_labels: namesOf(found), ...milestone }, { add_label_ids: idsOf(found), ...milestone })
    },
  },
  subscribe: subscription(true),
  unsubscribe: subscription(false),
  todo: {
    may: isSomebody,
    do: () => ({
      told: { todo_event: 'add' },
      async after({ db, actor, now }, { key, project }) {
        const id = actor.user!.id
        await addTodos(db, { ...key, project_id: project.id, author_id: id, action: 'marked', user_ids: [id] }, now)
      },
    }),
  },
  done: {
    may: isSomebody,
    do: () => ({ told: { todo_event: 'done' }, after: ({ db, actor, now }, { key }) => finishTodos(db, actor.user!.id, key, now) }),
  },
  award: {
    may: isSomebody,
    do(_target, argument) {
      const name = emojiNamed(argument)
      return name === undefined
        ? undefined
        : { told: { emoji_award: name }, after: (ctx, noteable) => toggleAward(ctx, awardableThing(noteable), name) }
    },
  },
  shrug: words('¯\\＿(ツ)＿/¯'),
  tableflip: words('(╯°□°)╯︵ ┻━┻'),
  cc: { may: () => true, do: (_target, argument) => ({ text: `/cc ${argument}`.trim() }) },
}

/** Every action of merge requests by each of its names. */
export const mergeRequestActions: ReadonlyMap<string, Action> = new Map(
  Object.entries(table).flatMap(([name, action]) => [name, ...(action.names ?? [])].map(known => [known, action] as const)),
)
