/** The quick actions that do something beside a thing's attributes: time, subscriptions, words at the end of a text. */

import { addSpentTime, resetSpentTime, setTimeEstimate } from '../../../review/time_tracking/commands.ts'
import { awardableThing } from '../../award_emoji/awardable.ts'
import { toggleAward } from '../../award_emoji/commands.ts'
import { isEmojiName } from '../../markdown/document.ts'
import { placeOf } from '../../notes/noteable.ts'
import { setSubscription } from '../../subscriptions/commands.ts'
import { addTodos, finishTodos } from '../../todos/write.ts'
import { type Action, all, both, type Effect, type ProjectNoun, rowOf, type Things } from '../action.ts'
import { isSomebody, mayPlan } from '../targets.ts'
import { estimateIn, spendingIn } from './times.ts'

/** A thing as time is tracked on it. */
function tracked(talked: Things[ProjectNoun]['talked']) {
  const { id, project_id } = rowOf<ProjectNoun>(talked)
  return { noun: talked.type === 'Issue' ? ('issue' as const) : ('merge_request' as const), id, project_id }
}

const estimate = (seconds: number): Effect<ProjectNoun> => ({
  told: { time_estimate: seconds },
  after: async (ctx, talked) => void (await setTimeEstimate(ctx, tracked(talked), seconds)),
})

/** Asked for twice it is so already, which is no refusal here. */
const subscription = (subscribed: boolean): Action => ({
  on: all,
  may: isSomebody,
  do: () => ({
    told: { subscription_event: subscribed ? 'subscribe' : 'unsubscribe' },
    after: ({ db, actor, now }, { key }) => setSubscription(db, actor.user!.id, key, subscribed, now),
  }),
})

const words = (text: string): Action => ({
  on: all,
  may: () => true,
  do: (_target, argument) => ({ text: `${argument} ${text}`.trim() }),
})

/** The name of the emoji that an argument names, `:tada:` or `tada`. */
function emojiNamed(argument: string): string | undefined {
  const name = argument.match(/^:?([a-z0-9_+-]+):?$/)?.[1]
  return name !== undefined && isEmojiName(name) ? name : undefined
}

/** Time on what time is tracked of. */
export const timeActions: Readonly<Record<string, Action<ProjectNoun>>> = {
  estimate: {
    on: both,
    names: ['estimate_time'],
    may: mayPlan,
    do(_target, argument) {
      const seconds = estimateIn(argument)
      return seconds === undefined ? undefined : estimate(seconds)
    },
  },
  remove_estimate: { on: both, names: ['remove_time_estimate'], may: mayPlan, do: () => estimate(0) },
  spend: {
    on: both,
    names: ['spent', 'spend_time'],
    may: mayPlan,
    do({ ctx }, argument) {
      const spent = spendingIn(ctx, argument)
      if (!spent) return undefined
      const { seconds, spending, told } = spent
      return {
        told: { spend_time: told },
        async after(ctx, talked) {
          // More than was spent cannot be taken back.
          if (rowOf<ProjectNoun>(talked).total_time_spent + seconds >= 0) await addSpentTime(ctx, tracked(talked), seconds, spending)
        },
      }
    },
  },
  remove_time_spent: {
    on: both,
    may: mayPlan,
    do: () => ({
      told: { spend_time: { duration: 'reset' } },
      after: async (ctx, talked) => void (await resetSpentTime(ctx, tracked(talked))),
    }),
  },
}

export const deedActions: Readonly<Record<string, Action>> = {
  subscribe: subscription(true),
  unsubscribe: subscription(false),
  todo: {
    on: all,
    may: isSomebody,
    do: () => ({
      told: { todo_event: 'add' },
      async after({ db, actor, now }, talked) {
        const id = actor.user!.id
        await addTodos(db, { ...talked.key, ...placeOf(talked), author_id: id, action: 'marked', user_ids: [id] }, now)
      },
    }),
  },
  done: {
    on: all,
    may: isSomebody,
    do: () => ({ told: { todo_event: 'done' }, after: ({ db, actor, now }, { key }) => finishTodos(db, actor.user!.id, key, now) }),
  },
  award: {
    on: all,
    may: isSomebody,
    do(_target, argument) {
      const name = emojiNamed(argument)
      return name === undefined
        ? undefined
        : { told: { emoji_award: name }, after: (ctx, talked) => toggleAward(ctx, awardableThing(talked), name) }
    },
  },
  shrug: words('¯\\＿(ツ)＿/¯'),
  tableflip: words('(╯°□°)╯︵ ┻━┻'),
  // Names people, whom the text names already.
  cc: { on: all, may: () => true, do: (_target, argument) => ({ text: `/cc ${argument}`.trim() }) },
}
