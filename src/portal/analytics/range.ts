/** The span of time and the filters that pages of analytics share. */
import { type RawBuilder, sql } from 'kysely'
import { daysIntoWeek, type Weekday } from '../../platform/access/preferences.ts'
import { Day, OneOf, optional, type ParamsOf, text } from '../../platform/kernel/declaration/types.ts'

const DAY = 86_400_000
const A_MONDAY = '2021-06-14'
/** A span has two years at most: what is summed up is bounded by it. In days. */
const LONGEST = 731
/** The days that a span may have. Days are compared as texts, which holds while their years have four digits, also in the step after the last. */
const EARLIEST = '1000-01-01'
const LATEST = '9998-12-31'
/** Months that are shown unless asked otherwise. */
const MONTHS = 6

export const rangeParams = {
  from: optional(Day('First day')),
  to: optional(Day('Last day')),
}

export const flowParams = {
  ...rangeParams,
  by: OneOf(['month', 'week'], { description: 'What is summed up', default: 'month' }),
  author_username: optional(text('Only what the account opened', { maxLength: 255 })),
  label: optional(text('Only what has the label', { maxLength: 255 })),
  milestone: optional(text('Only what is in the milestone', { maxLength: 255 })),
}

export type FlowParams = ParamsOf<typeof flowParams>

/** What is summed up: months, or weeks that begin on a day. */
export type Step = 'month' | Weekday

/** The step that is asked for, by one who prefers weeks to begin on a day. */
export const stepOf = (by: FlowParams['by'], weekday: Weekday): Step => (by === 'month' ? by : weekday)

/** Days from the first to the last, both included. */
export interface Range {
  readonly from: string
  readonly to: string
}

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** What is refused: shown at the field, in words. */
export class WrongRange {
  readonly words: string
  constructor(words: string) {
    this.words = words
  }
}

/** The span that is asked for; the last months unless given. Pure. */
export function rangeOf(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
  otherwise = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1, 1),
): Range | WrongRange {
  const to = asked.to || dayOf(now.getTime())
  const from = asked.from || dayOf(Math.min(otherwise, Date.parse(to)))
  if (from > to) return new WrongRange('is after the last day')
  if (from < EARLIEST || to > LATEST) return new WrongRange(`and the last day must lie between ${EARLIEST} and ${LATEST}`)
  if (Date.parse(to) - Date.parse(from) > LONGEST * DAY) return new WrongRange('is more than two years before the last day')
  return { from, to }
}

/** The first day of the month or week that a day lies in. Pure. */
export function beginningOf(day: string, step: Step): string {
  if (step === 'month') return `${day.slice(0, 7)}-01`
  const instant = Date.parse(day)
  return dayOf(instant - daysIntoWeek(new Date(instant), step) * DAY)
}

/** All months or weeks of a span, by their first days. Pure. */
export function stepsOf({ from, to }: Range, step: Step): readonly string[] {
  const steps: string[] = []
  for (let day = beginningOf(from, step); day <= to; ) {
    steps.push(day)
    const date = new Date(day)
    day = step === 'month' ? dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)) : dayOf(date.getTime() + 7 * DAY)
  }
  return steps
}

const months = new Intl.DateTimeFormat('en-GB', { month: 'short', year: '2-digit', timeZone: 'UTC' })
const weeks = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: '2-digit', timeZone: 'UTC' })

/** `2021-05-01` as `May 21`; a week by its first day. Pure. */
export const stepText = (day: string, step: Step): string => (step === 'month' ? months : weeks).format(Date.parse(day))

/** The month or week of an instant, as a day. */
export function stepInSql(column: RawBuilder<unknown>, step: Step): RawBuilder<string> {
  const at = sql`${column} at time zone 'UTC'`
  if (step === 'month') return sql<string>`to_char(date_trunc('month', ${at}), 'YYYY-MM-DD')`
  // The database's weeks begin on Monday.
  const before = sql`interval '1 day' * ${sql.lit(daysIntoWeek(new Date(A_MONDAY), step))}`
  return sql<string>`to_char(date_trunc('week', ${at} + ${before}) - ${before}, 'YYYY-MM-DD')`
}

/** Does an instant lie in the span? */
export const isWithin = (column: RawBuilder<unknown>, { from, to }: Range): RawBuilder<boolean> =>
  sql<boolean>`(${column} >= ${`${from}T00:00:00Z`}::timestamptz and ${column} < ${`${to}T00:00:00Z`}::timestamptz + interval '1 day')`

const labelTables = {
  issues: sql`issue_labels l where l.issue_id = issues.id`,
  merge_requests: sql`merge_request_labels l where l.merge_request_id = merge_requests.id`,
} as const

/** The filters as a condition on the rows of `issues` or `merge_requests`. */
export function matchesFilters(
  table: keyof typeof labelTables,
  { author_username, label, milestone }: Pick<FlowParams, 'author_username' | 'label' | 'milestone'>,
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const conditions = [
    author_username &&
      sql`${column('author_id')} = (select u.id from users u where lower(u.username) = lower(${author_username.replace(/^@/, '')}))`,
    milestone && sql`${column('milestone_id')} in (select m.id from milestones m where m.title = ${milestone})`,
    label && sql`exists (select from ${labelTables[table]} and l.label_id in (select n.id from labels n where n.name = ${label}))`,
  ].filter(condition => typeof condition === 'object')
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
