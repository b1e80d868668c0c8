/**
 * Counts what CI did, by days: for each project, for its groups and for the instance. The worker counts today and yesterday again every few minutes,
 * and the week before once a day, since jobs end and are run again later than their pipeline was made. Nothing is counted while a job moves.
 */

import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/kernel/context.ts'

const DAY = 86_400_000

/** Days that are kept. */
export const KEPT_DAYS = 400

/** Days that have been missed are counted as far back as a page looks. */
const CAUGHT_UP = 90

/** Days that are counted again: what ends later than this after its pipeline was made is not seen. */
export const RECOUNTED_DAYS = 8

/** Projects of a place and a day that are kept, those first whose jobs ran longest: the list of a page looks among these. */
export const BUSIEST = 50

/** Names of jobs that are kept of a project's day: those that ran longest, and those that failed most. */
export const KEPT_NAMES = 150

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** Counts the last days again, today first, and those before that no worker has counted yet. */
export async function countRecentDays({ database, now }: Deps, recent: number, signal?: AbortSignal): Promise<void> {
  const today = now().getTime()
  const counted = await database.db
    .selectFrom('ci_days')
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'))
    .where('project_id', 'is', null)
    .where('namespace_id', 'is', null)
    .where('day', '>=', sql<string>`${dayOf(today - CAUGHT_UP * DAY)}::date`)
    .execute()
  const known = new Set(counted.map(({ day }) => day))
  for (let ago = 0; ago < CAUGHT_UP && !signal?.aborted; ago++) {
    const day = dayOf(today - ago * DAY)
    if (ago < recent || !known.has(day)) await transact(database.db, db => countDay(db, day))
  }
}

/** Forgets the days that are older than those that are kept. */
export async function forgetOldDays({ database, now }: Deps): Promise<void> {
  const oldest = sql<string>`${dayOf(now().getTime() - KEPT_DAYS * DAY)}::date`
  await database.db.deleteFrom('ci_days').where('day', '<', oldest).execute()
  await database.db.deleteFrom('ci_job_days').where('day', '<', oldest).execute()
}

/** Counts a day (UTC) again. `db` must be a transaction. */
export async function countDay(db: Db, day: string): Promise<void> {
  // Two workers do not count at the same time: the second one waits and finds the same.
  await lockName(db, 'counted days of CI')
  const isOfDay = (table: string) =>
    sql`${sql.ref(`${table}.created_at`)} >= ${day}::timestamp at time zone 'UTC' and ${sql.ref(`${table}.created_at`)} < (${day}::date + 1)::timestamp at time zone 'UTC'`
  await sql`delete from ci_days where day = ${day}::date`.execute(db)
  await sql`delete from ci_job_days where day = ${day}::date`.execute(db)
  await sql`
    create temporary table counted_jobs on commit drop as
    select jobs.project_id, regexp_replace(jobs.name, ' \\d+/\\d+$', '') as name, jobs.status,
           extract(epoch from jobs.finished_at - jobs.started_at)::float8 as seconds,
           extract(epoch from jobs.started_at - jobs.queued_at)::float8 as queued,
           jobs.status = 'failed' and jobs.retried and exists (
             select from jobs later where later.pipeline_id = jobs.pipeline_id and later.name = jobs.name and later.id > jobs.id
                and later.status = 'success') as flaky
      from jobs where jobs.kind = 'build' and ${isOfDay('jobs')}`.execute(db)
  // A project counts for itself, for each group that it is in, and for the instance; zero stands for none.
  await sql`
    with places as (
      select projects.id as project_id, projects.id as of_project, 0 as of_namespace from projects
      union all
      select projects.id, 0, above.id from projects join namespaces on namespaces.id = projects.namespace_id and namespaces.kind = 'group'
             cross join lateral unnest(namespaces.traversal_ids) as above(id)
      union all
      select projects.id, 0, 0 from projects
    ), made as (
      select of_project, of_namespace, count(*) as pipelines, count(*) filter (where status = 'success') as succeeded,
             count(*) filter (where status = 'failed') as failed, count(*) filter (where status = 'canceled') as canceled,
             percentile_cont(0.5) within group (order by duration) filter (where finished_at is not null) as p50,
             percentile_cont(0.95) within group (order by duration) filter (where finished_at is not null) as p95
        from pipelines join places using (project_id) where ${isOfDay('pipelines')} group by of_project, of_namespace
    ), ran as (
      select of_project, of_namespace, count(*) as jobs, count(*) filter (where status = 'failed') as failed, count(*) filter (where flaky) as flaky,
             coalesce(round(sum(seconds)), 0) as seconds, percentile_cont(0.5) within group (order by queued) as p50,
             percentile_cont(0.95) within group (order by queued) as p95
        from counted_jobs join places using (project_id) group by of_project, of_namespace
    ), ranked as (
      select places.of_namespace, places.project_id,
             row_number() over (partition by places.of_namespace
                                order by coalesce(ran.seconds, 0) desc, coalesce(made.pipelines, 0) desc, places.project_id) as place
        from made full join ran using (of_project, of_namespace)
        join places on places.project_id = coalesce(made.of_project, ran.of_project) and places.of_project = 0
    ), busy as (
      select 0 as of_project, of_namespace, array_agg(project_id order by place) as busiest
        from ranked where place <= ${sql.lit(BUSIEST)} group by of_namespace
    )
    insert into ci_days (day, project_id, namespace_id, pipelines, succeeded, failed, canceled, duration_p50, duration_p95,
                         jobs, failed_jobs, flaky_jobs, job_seconds, queue_p50, queue_p95, busiest)
    select ${day}::date, nullif(of_project, 0), nullif(of_namespace, 0), coalesce(made.pipelines, 0), coalesce(made.succeeded, 0),
           coalesce(made.failed, 0), coalesce(made.canceled, 0), made.p50, made.p95, coalesce(ran.jobs, 0), coalesce(ran.failed, 0),
           coalesce(ran.flaky, 0), coalesce(ran.seconds, 0), ran.p50, ran.p95, coalesce(busy.busiest, '{}')
      from made full join ran using (of_project, of_namespace) full join (select 0 as of_project, 0 as of_namespace) as instance
           using (of_project, of_namespace) left join busy using (of_project, of_namespace)`.execute(db)
  await sql`
    insert into ci_job_days (day, project_id, name, runs, failed, flaky, ended, seconds, longest)
    select ${day}::date, project_id, name, runs, failed, flaky, ended, seconds, longest
      from (
        select project_id, name, count(*) as runs, count(*) filter (where status = 'failed') as failed, count(*) filter (where flaky) as flaky,
               count(seconds) as ended, coalesce(round(sum(seconds)), 0) as seconds, coalesce(round(max(seconds)), 0) as longest,
               row_number() over (partition by project_id order by coalesce(sum(seconds), 0) desc, name) as by_time,
               row_number() over (partition by project_id order by count(*) filter (where status = 'failed') desc, name) as by_failures
          from counted_jobs group by project_id, name) as named
     where by_time <= ${sql.lit(KEPT_NAMES)} or (failed > 0 and by_failures <= ${sql.lit(KEPT_NAMES)})`.execute(db)
  await sql`drop table counted_jobs`.execute(db)
}
