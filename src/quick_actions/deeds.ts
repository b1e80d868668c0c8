/** The quick actions that do something beside the issue's attributes: time, subscriptions, words at the end of a text. */

import { awardableThing } from '../award_emoji/awardable.ts'
import { toggleAward } from '../award_emoji/commands.ts'
import { subscribeToIssue } from '../issues/commands.ts'
import { subscribedIssues } from '../issues/subscribed.ts'
import { talkedIssue } from '../notes/noteable.ts'
import { addSpentTime, resetSpentTime, setTimeEstimate } from '../time_tracking/commands.ts'
import { addTodos, finishTodos } from '../todos/write.ts'
import type { Action } from './actions.ts'
import { emojiNamed } from './attributes.ts'
import { mayPlan, type Target } from './targets.ts'
import { estimateIn, spendingIn } from './times.ts'

const isSomebody = ({ ctx }: Target): boolean => ctx.actor.user !== undefined

const tracked = ({ id, project_id }: { id: number; project_id: number }) => ({ noun: 'issue' as const, id, project_id })

const subscription = (wanted: boolean): Action => ({
  may: isSomebody,
  do: () => ({
    told: { subscription_event: wanted ? 'subscribe' : 'unsubscribe' },
    async after(ctx, _project, issue) {
      // Asked for twice it is so already, which is no refusal here.
      const isSo = (await subscribedIssues(ctx.db, ctx.actor.user!.id, [issue])).has(issue.id)
      if (isSo !== wanted) await subscribeToIssue(ctx, issue, wanted)
    },
  }),
})

const words = (text: string): Action => ({ may: () => true, do: (_target, argument) => ({ text: `${argument} ${text}`.trim() }) })

export const deedActions: Readonly<Record<string, Action>> = {
  estimate: {
    names: ['estimate_time'],
    may: mayPlan,
    do(_target, argument) {
      const seconds = estimateIn(argument)
      if (seconds === undefined) return undefined
      return {
        told: { time_estimate: seconds },
        after: async (ctx, _project, issue) => void (await setTimeEstimate(ctx, tracked(issue), seconds)),
      }
    },
  },
  remove_estimate: {
    names: ['remove_time_estimate'],
    may: mayPlan,
    do: () => ({ told: { time_estimate: 0 }, after: async (ctx, _project, issue) => void (await setTimeEstimate(ctx, tracked(issue), 0)) }),
  },
  spend: {
    names: ['spent', 'spend_time'],
    may: mayPlan,
    do({ ctx }, argument) {
      const spent = spendingIn(ctx, argument)
      if (!spent) return undefined
      const { seconds, spending, told } = spent
      return {
        told: { spend_time: told },
        async after(ctx, _project, issue) {
          // More than was spent cannot be taken back.
          if (issue.total_time_spent + seconds >= 0) await addSpentTime(ctx, tracked(issue), seconds, spending)
        },
      }
    },
  },
  remove_time_spent: {
    may: mayPlan,
    do: () => ({
      told: { spend_time: { duration: 'reset' } },
      after: async (ctx, _project, issue) => void (await resetSpentTime(ctx, tracked(issue))),
    }),
  },
  subscribe: subscription(true),
  unsubscribe: subscription(false),
  todo: {
    may: isSomebody,
    do: () => ({
      told: { todo_event: 'add' },
      async after({ db, actor, now }, project, issue) {
        const id = actor.user!.id
        await addTodos(db, { issue_id: issue.id, project_id: project.id, author_id: id, action: 'marked', user_ids: [id] }, now)
      },
    }),
  },
  done: {
    may: isSomebody,
    do: () => ({
      told: { todo_event: 'done' },
      after: ({ db, actor, now }, _project, issue) => finishTodos(db, actor.user!.id, { issue_id: issue.id }, now),
    }),
  },
  award: {
    may: isSomebody,
    do(_target, argument) {
      const name = emojiNamed(argument)
      return name === undefined
        ? undefined
        : {
            told: { emoji_award: name },
            after: (ctx, project, issue) => toggleAward(ctx, awardableThing(talkedIssue(ctx, project, issue)), name),
          }
    },
  },
  shrug: words('¯\\＿(ツ)＿/¯'),
  tableflip: words('(╯°□°)╯︵ ┻━┻'),
  // Names people, whom the text names already.
  cc: { may: () => true, do: (_target, argument) => ({ text: `/cc ${argument}`.trim() }) },
}
