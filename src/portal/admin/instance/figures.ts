/** What happened on the last days, counted in bounded time. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'

/** Days that are counted, with today. */
const DAYS = 28

/** Rows of a day that are counted at most: a day must not take longer with the size of the instance. */
export const MOST_OF_DAY = 5_000

/** The figures of a day (UTC). */
export interface DayFigures {
  /** `2021-04-01`. */
  readonly day: string
  /** People who pushed, commented, merged or the like. */
  readonly people: number
  readonly pushes: number
  readonly jobs: number
  readonly failed_jobs: number
}

/** The last four weeks, oldest first. One statement. Jobs of days before today are taken from what the worker has counted, where it has. */
export async function figuresOf(db: Db, now: Date): Promise<readonly DayFigures[]> {
  const { rows } = await sql<DayFigures>`
    select to_char(days.day, 'YYYY-MM-DD') as day, work.people, work.pushes, coalesce(counted.jobs, run.jobs) as jobs,
           coalesce(counted.failed_jobs, run.failed_jobs) as failed_jobs
      from (select (${now}::timestamptz at time zone 'UTC')::date - ago as day from generate_series(0, ${DAYS - 1}::int) as ago) as days
           left join ci_days counted on counted.project_id is null and counted.namespace_id is null and counted.day = days.day
             and counted.day < (${now}::timestamptz at time zone 'UTC')::date
           cross join lateral (
             select count(distinct author_id)::int as people, (count(*) filter (where action = 'pushed'))::int as pushes
               from (select author_id, action from feed_entries
                      where created_at >= days.day::timestamp at time zone 'UTC'
                        and created_at < (days.day + 1)::timestamp at time zone 'UTC' limit ${MOST_OF_DAY}) as done) as work
           cross join lateral (
             select count(*)::int as jobs, (count(*) filter (where status = 'failed'))::int as failed_jobs
               from (select status from jobs
                      where counted.day is null and created_at >= days.day::timestamp at time zone 'UTC'
                        and created_at < (days.day + 1)::timestamp at time zone 'UTC' and kind = 'build' limit ${MOST_OF_DAY}) as made) as run
     order by days.day`.execute(db)
  return rows
}
