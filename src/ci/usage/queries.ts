/** What CI has done in a span of days, from what the worker has counted: the pages read a row for each day, never jobs. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Whose usage: of a project, of a group with the groups below it, or of the instance. */
export type UsagePlace = { readonly project_id: number } | { readonly namespace_id: number } | 'instance'

/** Days from the first to the last, both included: `2021-04-01`. */
export interface UsageRange {
  readonly from: string
  readonly to: string
}

const isOf = (place: UsagePlace) =>
  place === 'instance'
    ? sql`project_id is null and namespace_id is null`
    : 'project_id' in place
      ? sql`project_id = ${place.project_id}`
      : sql`namespace_id = ${place.namespace_id}`

const isWithin = ({ from, to }: UsageRange) => sql`day between ${from}::date and ${to}::date`

/** The figures of a day. Times are in seconds; null where nothing was measured. */
export interface UsageDay {
  readonly day: string
  readonly pipelines: number
  readonly succeeded: number
  readonly failed: number
  readonly canceled: number
  readonly duration_p50: number | null
  readonly duration_p95: number | null
  readonly jobs: number
  readonly failed_jobs: number
  readonly flaky_jobs: number
  readonly job_seconds: number
  readonly queue_p50: number | null
  readonly queue_p95: number | null
}

/** The days of a span on which there was something, oldest first. */
export async function usageDays(db: Db, place: UsagePlace, range: UsageRange): Promise<readonly UsageDay[]> {
  const { rows } = await sql<UsageDay>`
    select to_char(day, 'YYYY-MM-DD') as day, pipelines, succeeded, failed, canceled, duration_p50, duration_p95, jobs, failed_jobs, flaky_jobs,
           job_seconds, queue_p50, queue_p95
      from ci_days where ${isOf(place)} and ${isWithin(range)} order by ci_days.day`.execute(db)
  return rows
}

/** The jobs of a name in a span. */
export interface NamedUsage {
  readonly name: string
  readonly runs: number
  readonly failed: number
  readonly flaky: number
  readonly ended: number
  readonly seconds: number
  readonly longest: number
  /** Their places in each order, from 1. */
  readonly by_time: number
  readonly by_failures: number
  readonly by_flakiness: number
}

/** Names of each of the lists of a page. */
export const LISTED = 10

/** The jobs of a project that took longest on average, that failed most often, and that failed and then passed. */
export async function usageByName(db: Db, projectId: number, range: UsageRange): Promise<readonly NamedUsage[]> {
  const { rows } = await sql<NamedUsage>`
    select * from (
      select summed.*, (row_number() over (order by seconds::float8 / greatest(ended, 1) desc, name))::int as by_time,
             (row_number() over (order by failed desc, name))::int as by_failures,
             (row_number() over (order by flaky desc, name))::int as by_flakiness
        from (
          select name, sum(runs)::int as runs, sum(failed)::int as failed, sum(flaky)::int as flaky, sum(ended)::int as ended,
                 sum(seconds)::bigint as seconds, max(longest)::int as longest
            from ci_job_days where project_id = ${projectId} and ${isWithin(range)} group by name) as summed) as ranked
     where by_time <= ${LISTED} or by_failures <= ${LISTED} or by_flakiness <= ${LISTED}`.execute(db)
  return rows
}

/** What a project took of a span. */
export interface ProjectUsage {
  readonly project_id: number
  readonly job_seconds: number
  readonly pipelines: number
  readonly failed: number
}

/** Projects of the list of a page. */
const MOST_PROJECTS = 20

/**
 * The projects whose jobs ran longest in a span: of a group with the groups below it, or of the instance. Of each day those are looked at that
 * the worker found to be the busiest there (`BUSIEST`), however many projects there are.
 */
export async function busiestProjects(db: Db, place: { readonly namespace_id: number } | 'instance', range: UsageRange) {
  // A project that has left the group is none of its members' any more.
  const isThere =
    place === 'instance'
      ? sql`true`
      : sql`exists (
          select from projects join namespaces on namespaces.id = projects.namespace_id
           where projects.id = ci_days.project_id and namespaces.traversal_ids @> array[${place.namespace_id}::bigint])`
  const { rows } = await sql<ProjectUsage>`
    select project_id, sum(job_seconds)::bigint as job_seconds, sum(pipelines)::int as pipelines, sum(failed)::int as failed
      from ci_days
     where project_id = any(array(select distinct unnest(busiest) from ci_days where ${isOf(place)} and ${isWithin(range)}))
       and ${isWithin(range)} and ${isThere}
     group by project_id having sum(job_seconds) > 0 or sum(pipelines) > 0
     order by 2 desc, project_id limit ${sql.lit(MOST_PROJECTS)}`.execute(db)
  return rows
}
