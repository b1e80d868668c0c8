/** Estimated and spent time (document 3 "Issue operations"; decisions 14 and 37). */
import Type from 'typebox'
import { presentTimeStats, type Times, timeStatsFields } from '../../collaboration/time_stats/time_stats.ts'
import { inIssue } from '../../planning/issues/scope.ts'
import type { Ability } from '../../platform/access/abilities.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Endpoint, endpoint, one } from '../../platform/kernel/endpoint.ts'
import type { Scope } from '../../platform/kernel/scope.ts'
import { inMergeRequest } from '../merge_requests/scope.ts'
import { addSpentTime, readDuration, resetSpentTime, setTimeEstimate, type Tracked } from './commands.ts'

const TimeStats = entity({
  name: 'TimeStats',
  schema: Type.Object(timeStatsFields),
  present: (row: Times) => presentTimeStats(row),
})

/** What the time of one kind of thing is tracked by. */
interface Tracking<S extends object> {
  /** The address of the thing, below `/projects/:id`. */
  readonly path: string
  readonly noun: string
  readonly scope: Scope<S>
  readonly read: Ability
  readonly write: Ability
  /** The thing that the subjects of the scope name. */
  thing(subjects: S): Tracked & Times
}

const duration = Type.String({ maxLength: 255, description: 'Time such as `1w 3h30m`', examples: ['3h30m'] })

/** The endpoints of one kind of thing. */
const timeTrackingOf = <S extends object>({ path, noun, scope, read, write, thing }: Tracking<S>): readonly Endpoint[] => [
  endpoint({
    route: `GET /projects/:id/${path}/time_stats`,
    summary: `Get the estimated and spent time of ${noun}`,
    scope,
    can: read,
    answers: one(TimeStats),
    run: ctx => thing(ctx),
  }),
  endpoint({
    route: `POST /projects/:id/${path}/time_estimate`,
    summary: `Set the estimated time of ${noun}`,
    scope,
    can: write,
    params: { duration },
    // Contract: 200, as for the two resets (decision 14).
    answers: one(TimeStats, 200),
    run: ctx => setTimeEstimate(ctx as Context, thing(ctx), readDuration((ctx.params as { duration: string }).duration)),
  }),
  endpoint({
    route: `POST /projects/:id/${path}/reset_time_estimate`,
    summary: `Take the estimated time of ${noun} away`,
    scope,
    can: write,
    answers: one(TimeStats, 200),
    run: ctx => setTimeEstimate(ctx as Context, thing(ctx), 0),
  }),
  endpoint({
    route: `POST /projects/:id/${path}/add_spent_time`,
    summary: `Add time that was spent on ${noun}; a minus takes it back`,
    scope,
    can: write,
    params: { duration, summary: Type.Optional(Type.String({ maxLength: 255, description: 'What it was spent on' })) },
    answers: one(TimeStats),
    run: ctx => {
      const params = ctx.params as { duration: string; summary?: string }
      return addSpentTime(ctx as Context, thing(ctx), readDuration(params.duration), { summary: params.summary })
    },
  }),
  endpoint({
    route: `POST /projects/:id/${path}/reset_spent_time`,
    summary: `Take all time that was spent on ${noun} away`,
    scope,
    can: write,
    answers: one(TimeStats, 200),
    run: ctx => resetSpentTime(ctx as Context, thing(ctx)),
  }),
]

export const issueTimeTracking = timeTrackingOf({
  path: 'issues/:issue_iid',
  noun: 'an issue',
  scope: inIssue,
  read: 'read_issue',
  write: 'admin_issue',
  thing: ({ issue }) => ({ ...issue, noun: 'issue' as const }),
})

export const mergeRequestTimeTracking = timeTrackingOf({
  path: 'merge_requests/:merge_request_iid',
  noun: 'a merge request',
  scope: inMergeRequest,
  read: 'read_merge_request',
  write: 'admin_merge_request',
  thing: ({ mergeRequest }) => ({ ...mergeRequest, noun: 'merge_request' as const }),
})
