/** Estimated and spent time (document 3 "Issue operations"; decisions 14 and 37). */
import Type from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { type Endpoint, endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import type { NoteableApi } from '../notes/items/noteable.ts'
import { addSpentTime, readDuration, resetSpentTime, setTimeEstimate, timesOf, trackedOf } from './commands.ts'
import { LONGEST_DURATION } from './durations.ts'
import { presentTimeStats, type Times, timeStatsFields } from './time_stats.ts'

const TimeStats = entity({
  name: 'TimeStats',
  schema: Type.Object(timeStatsFields),
  present: (row: Times) => presentTimeStats(row),
})

const duration = text('Time such as `1w 3h30m`', { maxLength: LONGEST_DURATION, examples: ['3h30m'] })

/**
 * The time tracking endpoints of an item kind.
 * @param write the ability to change times
 */
export const timeTrackingEndpoints = ({ path, noun, scope, can }: NoteableApi, write: Ability): readonly Endpoint[] => [
  endpoint({
    route: `GET ${path}/time_stats`,
    summary: `Get the estimated and spent time of ${noun}`,
    scope,
    can: can.read,
    answers: one(TimeStats),
    run: ({ noteable }) => timesOf(noteable),
  }),
  endpoint({
    route: `POST ${path}/time_estimate`,
    summary: `Set the estimated time of ${noun}`,
    scope,
    can: write,
    params: { duration },
    // Contract: 200, as for both resets (decision 14).
    answers: one(TimeStats, 200),
    run: ctx => setTimeEstimate(ctx, trackedOf(ctx.noteable), readDuration(ctx.params.duration)),
  }),
  endpoint({
    route: `POST ${path}/reset_time_estimate`,
    summary: `Reset the estimated time of ${noun}`,
    scope,
    can: write,
    answers: one(TimeStats, 200),
    run: ctx => setTimeEstimate(ctx, trackedOf(ctx.noteable), 0),
  }),
  endpoint({
    route: `POST ${path}/add_spent_time`,
    summary: `Add spent time to ${noun}; a negative duration subtracts`,
    scope,
    can: write,
    params: { duration, summary: optional(text('Summary of the work', { maxLength: 255 })) },
    answers: one(TimeStats),
    run: ctx => addSpentTime(ctx, trackedOf(ctx.noteable), readDuration(ctx.params.duration), { summary: ctx.params.summary }),
  }),
  endpoint({
    route: `POST ${path}/reset_spent_time`,
    summary: `Reset the spent time of ${noun}`,
    scope,
    can: write,
    answers: one(TimeStats, 200),
    run: ctx => resetSpentTime(ctx, trackedOf(ctx.noteable)),
  }),
]
