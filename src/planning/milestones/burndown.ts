/** Burndown chart events of a milestone (milestones API at 14.0 "burndown chart events"). */
import { sql } from 'kysely'
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, integer, Nullable, OneOf } from '../../platform/kernel/declaration/types.ts'
import { issueVisibleTo } from '../issues/lists/visible.ts'
import type { MilestoneRow } from './queries.ts'

interface BurndownEvent {
  readonly created_at: string
  readonly weight: number | null
  readonly action: 'created' | 'closed' | 'reopened'
}

/** Upper bound of the events of a response, which has no pages; real milestones have fewer. */
const MOST_EVENTS = 50_000

export const BurndownEvents = entity({
  name: 'BurndownEvents',
  schema: Type.Array(
    Type.Object({
      created_at: DateTime('When it was created'),
      weight: Nullable(integer('Weight; null where none is set')),
      action: OneOf(['created', 'closed', 'reopened'], { description: '`created`, `closed` or `reopened`' }),
    }),
  ),
  present: (events: readonly BurndownEvent[]) => events.map(({ created_at, weight, action }) => ({ created_at, weight, action })),
})

/** The dates between which a milestone has events; undefined where one is missing. */
const datesOf = ({ start_date, due_date }: MilestoneRow) =>
  start_date === null || due_date === null ? undefined : { first: `${start_date}T00:00:00Z`, last: `${due_date}T23:59:59.999Z` }

/** The events between two instants, in no order. What is older counts from the first. */
function eventsOf({ db, actor }: Pick<Context, 'db' | 'actor'>, { id }: MilestoneRow, { first, last }: { first: string; last: string }) {
  const isIn = sql<boolean>`(issues.milestone_id = ${id} and ${issueVisibleTo(actor)})`
  const created = db
    .selectFrom('issues')
    .where(isIn)
    .select([
      'issues.id as issue_id',
      sql<string>`greatest(issues.created_at, ${first}::timestamptz)`.as('created_at'),
      'issues.weight',
      sql<BurndownEvent['action']>`'created'`.as('action'),
      sql<number>`0`.as('place'),
    ])
  const moved = db
    .selectFrom('resource_events')
    .innerJoin('issues', 'issues.id', 'resource_events.issue_id')
    .where('resource_events.kind', '=', 'state')
    .where('resource_events.state', 'in', ['closed', 'reopened'])
    .where(isIn)
    .select([
      'issues.id as issue_id',
      sql<string>`greatest(resource_events.created_at, ${first}::timestamptz)`.as('created_at'),
      'issues.weight',
      sql<BurndownEvent['action']>`resource_events.state`.as('action'),
      sql<number>`resource_events.id`.as('place'),
    ])
  return db.selectFrom(created.unionAll(moved).as('events')).where('created_at', '<=', last)
}

/**
 * The creation, closing and reopening of the milestone's issues that the caller may see, oldest first, up to its due date. Contract:
 * issues older than the milestone count from its start date, and a milestone without start or due date has an empty
 * list (public behaviour at 14.0).
 */
export async function burndownOf(ctx: Pick<Context, 'db' | 'actor'>, milestone: MilestoneRow): Promise<BurndownEvent[]> {
  const dates = datesOf(milestone)
  if (!dates) return []
  return eventsOf(ctx, milestone, dates)
    .select(['created_at', 'weight', 'action'])
    .orderBy('created_at')
    .orderBy('place')
    .orderBy('issue_id')
    .limit(MOST_EVENTS)
    .execute()
}

/** What happened on a day (UTC) to the issues of a milestone. */
export interface BurndownDay {
  readonly day: string
  readonly action: BurndownEvent['action']
  readonly count: number
  /** The sum of the weights; what has none counts nothing. */
  readonly weight: number
}

/** The same events, summed up by day and kind: the days bound what comes back. One statement. */
export async function burndownByDay(ctx: Pick<Context, 'db' | 'actor'>, milestone: MilestoneRow): Promise<readonly BurndownDay[]> {
  const dates = datesOf(milestone)
  if (!dates) return []
  return eventsOf(ctx, milestone, dates)
    .select([
      sql<string>`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')`.as('day'),
      'action',
      sql<number>`count(*)::int`.as('count'),
      sql<number>`coalesce(sum(weight), 0)::int`.as('weight'),
    ])
    .groupBy(['day', 'action'])
    .orderBy('day')
    .execute()
}
