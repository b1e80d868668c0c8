/** Quick actions with effects other than attributes: subscriptions, to-do items, reactions, and appended text. */
import { awardableItem } from '../../award_emoji/awardable.ts'
import { toggleAward } from '../../award_emoji/commands.ts'
import { isEmojiName } from '../../markdown/document.ts'
import { setSubscription } from '../../subscriptions/commands.ts'
import { addTodos, finishTodos } from '../../todos/write.ts'
import type { Action, Actions } from '../action.ts'
import { isSignedIn } from '../targets.ts'

/** A subscription that exists already is not an error here. */
const subscription = (subscribed: boolean): Action => ({
  may: isSignedIn,
  do: () => ({
    reported: { subscription_event: subscribed ? 'subscribe' : 'unsubscribe' },
    after: ({ db, actor, now }, { key }) => setSubscription(db, actor.user!.id, key, subscribed, now),
  }),
})

const words = (text: string): Action => ({
  may: () => true,
  // Its argument is text, as long as what it stands in.
  longest: Number.POSITIVE_INFINITY,
  do: (_target, argument) => ({ text: `${argument} ${text}`.trim() }),
})

/** The name of the emoji in an argument, `:tada:` or `tada`. */
function emojiNamed(argument: string): string | undefined {
  const name = argument.match(/^:?([a-z0-9_+-]+):?$/)?.[1]
  return name !== undefined && isEmojiName(name) ? name : undefined
}

/** The actions of all items. */
export const sideEffectActions: Actions = {
  subscribe: subscription(true),
  unsubscribe: subscription(false),
  todo: {
    may: isSignedIn,
    do: () => ({
      reported: { todo_event: 'add' },
      async after({ db, actor, now }, { key, place }) {
        const id = actor.user!.id
        await addTodos(db, { ...key, ...place, author_id: id, action: 'marked', user_ids: [id] }, now)
      },
    }),
  },
  done: {
    may: isSignedIn,
    do: () => ({ reported: { todo_event: 'done' }, after: ({ db, actor, now }, { key }) => finishTodos(db, actor.user!.id, key, now) }),
  },
  award: {
    argument: 'emoji',
    may: isSignedIn,
    do(_target, argument) {
      const name = emojiNamed(argument)
      return name === undefined
        ? undefined
        : { reported: { emoji_award: name }, after: (ctx, noteable) => toggleAward(ctx, awardableItem(noteable), name) }
    },
  },
  shrug: words('¯\\＿(ツ)＿/¯'),
  tableflip: words('(╯°□°)╯︵ ┻━┻'),
  // Mentions users, which the text does already.
  cc: { argument: 'user', may: () => true, do: (_target, argument) => ({ text: `/cc ${argument}`.trim() }) },
}
