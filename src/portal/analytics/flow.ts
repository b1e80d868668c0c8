/** How issues and merge requests flow: how many come and go, and how long they take. A fixed number of statements, summed up by the database. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { type FlowParams, isWithin, matchesFilters, type Range, type Step, stepInSql } from './range.ts'

/** What came and went in a month or a week. */
export interface Throughput {
  /** Its first day. */
  readonly step: string
  readonly opened: number
  readonly done: number
}

/** Of a number of durations, in seconds: so long half of them took at most, and so long all but a quarter and a tenth. */
export interface Quantiles {
  readonly count: number
  readonly p50: number | null
  readonly p75: number | null
  readonly p90: number | null
}

/** How long what was done in a step took; `step` is null of all of them together. */
export interface Times {
  readonly step: string | null
  /** From its creation. */
  readonly whole: Quantiles
  /** From when work or a review began; what was never taken up has none. */
  readonly active: Quantiles
}

export interface Flow {
  readonly throughput: readonly Throughput[]
  readonly times: readonly Times[]
}

/** What differs between issues and merge requests. */
interface Kind {
  readonly table: 'issues' | 'merge_requests'
  /** When it was done. */
  readonly doneAt: RawBuilder<unknown>
  readonly isDone: RawBuilder<boolean>
  /** When the work on it, or its review, began. */
  readonly begunAt: RawBuilder<unknown>
}

const issueKind: Kind = {
  table: 'issues',
  doneAt: sql`issues.closed_at`,
  isDone: sql<boolean>`issues.state = 'closed'`,
  // What has an assignee without a note about it was assigned when it was created.
  begunAt: sql`case when exists (select from issue_assignees a where a.issue_id = issues.id)
      and not exists (select from notes n where n.issue_id = issues.id and n.action = 'assignees') then issues.created_at
    else (select min(n.created_at) from notes n where n.issue_id = issues.id
      and (n.action = 'assignees' or n.action = 'mention' and n.named_commit is not null)) end`,
}

const mergeRequestKind: Kind = {
  table: 'merge_requests',
  doneAt: sql`merge_requests.merged_at`,
  isDone: sql<boolean>`merge_requests.state = 'merged'`,
  begunAt: sql`least(
    (select min(n.created_at) from notes n where n.merge_request_id = merge_requests.id and n.action is null and n.author_id <> merge_requests.author_id),
    (select min(a.created_at) from approvals a where a.merge_request_id = merge_requests.id))`,
}

async function throughputOf(db: Db, kind: Kind, isIn: RawBuilder<boolean>, range: Range, by: Step): Promise<readonly Throughput[]> {
  const { table, doneAt, isDone } = kind
  const createdAt = sql.ref(`${table}.created_at`)
  const { rows } = await sql<Throughput>`
    select step, sum(opened)::int as opened, sum(done)::int as done from (
      select ${stepInSql(createdAt, by)} as step, 1 as opened, 0 as done from ${sql.table(table)} where ${isIn} and ${isWithin(createdAt, range)}
       union all
      select ${stepInSql(doneAt, by)}, 0, 1 from ${sql.table(table)} where ${isIn} and ${isDone} and ${isWithin(doneAt, range)}) moved
     group by step order by step`.execute(db)
  return rows
}

interface TimesRow {
  readonly step: string | null
  readonly count: number
  readonly p50: number | null
  readonly p75: number | null
  readonly p90: number | null
  readonly active_count: number
  readonly active_p50: number | null
  readonly active_p75: number | null
  readonly active_p90: number | null
}

const quantile = (share: number, column: string) => sql`percentile_cont(${sql.lit(share)}) within group (order by ${sql.ref(column)})`

async function timesOf(db: Db, kind: Kind, isIn: RawBuilder<boolean>, range: Range, by: Step): Promise<readonly Times[]> {
  const { table, doneAt, isDone, begunAt } = kind
  const { rows } = await sql<TimesRow>`
    select step, count(*)::int as count, ${quantile(0.5, 'whole')} as p50, ${quantile(0.75, 'whole')} as p75, ${quantile(0.9, 'whole')} as p90,
           count(active)::int as active_count, ${quantile(0.5, 'active')} as active_p50, ${quantile(0.75, 'active')} as active_p75,
           ${quantile(0.9, 'active')} as active_p90
      from (
        select ${stepInSql(doneAt, by)} as step,
               extract(epoch from ${doneAt} - ${sql.ref(`${table}.created_at`)})::float8 as whole,
               extract(epoch from greatest(${doneAt}, begun.at) - begun.at)::float8 as active
          from ${sql.table(table)} cross join lateral (select ${begunAt} as at) begun
         where ${isIn} and ${isDone} and ${isWithin(doneAt, range)}) done
     group by grouping sets ((step), ()) order by step nulls last`.execute(db)
  return rows.map(({ step, count, p50, p75, p90, ...row }) => ({
    step,
    whole: { count, p50, p75, p90 },
    active: { count: row.active_count, p50: row.active_p50, p75: row.active_p75, p90: row.active_p90 },
  }))
}

async function flowOf(db: Db, kind: Kind, visible: RawBuilder<boolean>, { range, step, filters }: FlowAsked): Promise<Flow> {
  const isIn = sql<boolean>`${visible} and ${matchesFilters(kind.table, filters)}`
  const [throughput, times] = await Promise.all([throughputOf(db, kind, isIn, range, step), timesOf(db, kind, isIn, range, step)])
  return { throughput, times }
}

/** What of a flow is read. */
export interface FlowAsked {
  readonly range: Range
  readonly step: Step
  readonly filters: FlowParams
}

/** The flow of issues. `visible`: a condition on `issues`. Two statements. */
export const issueFlow = (db: Db, visible: RawBuilder<boolean>, asked: FlowAsked): Promise<Flow> => flowOf(db, issueKind, visible, asked)

/** The flow of merge requests. `visible`: a condition on `merge_requests`. Two statements. */
export const mergeRequestFlow = (db: Db, visible: RawBuilder<boolean>, asked: FlowAsked): Promise<Flow> =>
  flowOf(db, mergeRequestKind, visible, asked)
