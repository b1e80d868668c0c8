/** Quick actions for time tracking (`/estimate 1d`, `/spend 30m 2021-06-01`). */
import type { Context } from '../../../platform/kernel/context.ts'
import { addSpentTime, resetSpentTime, type Spending, setTimeEstimate, timesOf, trackedOf } from '../../time_tracking/commands.ts'
import { LONGEST_DURATION, parseDuration } from '../../time_tracking/durations.ts'
import type { Actions, Effect } from '../action.ts'
import { mayPlan } from '../targets.ts'
import { readDay } from './dates.ts'

/** The seconds of an estimate; undefined for an invalid text. */
function estimateIn(argument: string): number | undefined {
  const seconds = parseDuration(argument)
  return seconds === undefined || seconds < 0 ? undefined : seconds
}

/** The spent seconds, negative for a subtraction, and the date; undefined for an invalid text. */
function spendingIn({ actor, now }: Context, argument: string) {
  const day = /\s(\d{4}-\d{2}-\d{2})$/.exec(argument)?.[1]
  const time = day === undefined ? argument : argument.slice(0, -day.length)
  const seconds = parseDuration(time)
  const spentOn = day && readDay(day, now)
  // The date must not be in the future.
  if (!seconds || (day && (!spentOn || spentOn > now.toISOString().slice(0, 10)))) return undefined
  const spending: Spending = { spent_at: spentOn ? new Date(`${spentOn}T00:00:00Z`) : undefined }
  return { seconds, spending, spend_time: { duration: seconds, user_id: actor.user?.id ?? null, spent_at: spentOn ?? null } }
}

const estimate = (seconds: number): Effect => ({
  reported: { time_estimate: seconds },
  after: async (ctx, noteable) => void (await setTimeEstimate(ctx, trackedOf(noteable), seconds)),
})

/** The actions of items with time tracking. */
export const timeActions: Actions = {
  estimate: {
    names: ['estimate_time'],
    longest: LONGEST_DURATION,
    may: mayPlan,
    do(_target, argument) {
      const seconds = estimateIn(argument)
      return seconds === undefined ? undefined : estimate(seconds)
    },
  },
  remove_estimate: { names: ['remove_time_estimate'], may: mayPlan, do: () => estimate(0) },
  spend: {
    names: ['spent', 'spend_time'],
    longest: LONGEST_DURATION,
    may: mayPlan,
    do({ ctx }, argument) {
      const spent = spendingIn(ctx, argument)
      if (!spent) return undefined
      const { seconds, spending, spend_time } = spent
      return {
        reported: { spend_time },
        async after(ctx, noteable) {
          // The sum must not become negative.
          if (timesOf(noteable).total_time_spent + seconds >= 0) await addSpentTime(ctx, trackedOf(noteable), seconds, spending)
        },
      }
    },
  },
  remove_time_spent: {
    may: mayPlan,
    do: () => ({
      reported: { spend_time: { duration: 'reset' } },
      after: async (ctx, noteable) => void (await resetSpentTime(ctx, trackedOf(noteable))),
    }),
  },
}
