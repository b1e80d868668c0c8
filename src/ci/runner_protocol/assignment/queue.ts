/**
 * The queue of pending jobs: which jobs a runner may run, and which is the next one. The queue is a
 * condition on rows and not a separate table, so that nothing can be missing from it. The projects with pending jobs are found by
 * stepping through an index, and only the first few jobs of each are read. Jobs of an inactive user leave the queue with the block itself;
 * a task fails them soon after.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { compiled } from '../../../platform/db/statements/compiled.ts'
import { genericPlan } from '../../../platform/db/statements/prepared.ts'
import { isForActiveUser, type JobRow, jobs } from '../../jobs/queries.ts'

/** Candidates per query: as many runners can query at the same instant without contending for the same jobs. */
const CANDIDATES = 32

/** May the runner `runners` run the job `jobs`, as far as tags and protection are concerned? */
export const suits = sql<boolean>`(jobs.tags <@ runners.tags and (runners.run_untagged or jobs.tags <> '{}')
  and (runners.access_level = 'not_protected' or jobs.protected))`

/** May jobs of the project `projects` run at all? */
export const runs = sql<boolean>`(projects.builds_access_level <> 'disabled' and projects.repository_access_level <> 'disabled'
  and not projects.archived and not projects.deleting)`

/** Does the runner `runners` serve the project `projects` of the namespace `namespaces`? */
export const serves = sql<boolean>`case runners.runner_type
  when 'instance_type' then projects.shared_runners_enabled
  when 'group_type' then exists (select from runner_groups g where g.runner_id = runners.id and namespaces.traversal_ids @> array[g.namespace_id])
  else exists (select from runner_projects own where own.runner_id = runners.id and own.project_id = projects.id) end`

/** The same for a group of equal runners, whose projects or groups are `runners.project_ids` and `runners.group_ids`. */
const servesAlike = sql<boolean>`case runners.runner_type
  when 'instance_type' then projects.shared_runners_enabled
  when 'group_type' then namespaces.traversal_ids && runners.group_ids
  else projects.id = any(runners.project_ids) end`

/**
 * Does the job `jobs` need no more than a move and the facts of its pipeline: it deploys nowhere, needs nothing of
 * other pipelines, and no file of its commit names a cache?
 */
const isPlain = sql<boolean>`(jobs.environment is null and not jobs.options ? 'other_needs'
  and not coalesce(jsonb_path_exists(jobs.options, '$.cache[*].key_files'), false))`

/** The ids of the projects with pending jobs, each found by one step in the index of pending jobs. */
const waitingProjects = sql`waiting(project_id) as (
  (select project_id from jobs where status = 'pending' and kind = 'build' order by project_id limit 1)
   union all
  select (select later.project_id from jobs later
           where later.status = 'pending' and later.kind = 'build' and later.project_id > waiting.project_id order by later.project_id limit 1)
    from waiting where waiting.project_id is not null)`

/** Jobs of the project that instance runners run now: projects with few of them come first. */
const share = sql`(select count(*) from jobs now_running join runners by on by.id = now_running.runner_id and by.runner_type = 'instance_type'
  where now_running.project_id = projects.id and now_running.status = 'running' and now_running.kind = 'build')`

/** A job that a runner may be assigned. */
export interface Candidate {
  readonly id: number
  readonly pipeline_id: number
  /** Does it need no more than a move? Others take longer, and move further rows. */
  readonly is_plain: boolean
}

/** For each group of equal runners the jobs that they may be assigned, in their order. */
interface Found extends Candidate {
  readonly runner_ids: readonly number[]
}

const lookingFor = (asks: RawBuilder<boolean>) => sql<Found>`${genericPlan}
    with recursive ${waitingProjects},
    alike as (
      select runner_type, tags, run_untagged, access_level, project_ids, group_ids, array_agg(id) as runner_ids
        from (select runners.*,
                     array(select own.project_id from runner_projects own where own.runner_id = runners.id order by own.project_id) as project_ids,
                     array(select own.namespace_id from runner_groups own where own.runner_id = runners.id order by own.namespace_id) as group_ids
                from runners where ${asks} and runners.active) as asking
       group by runner_type, tags, run_untagged, access_level, project_ids, group_ids)
    select found.id, found.pipeline_id, found.is_plain, runners.runner_ids
      from alike as runners cross join lateral (
        select first.*, runs_there.count + first.place as turn
          from waiting join projects on projects.id = waiting.project_id join namespaces on namespaces.id = projects.namespace_id
               cross join lateral (select case when runners.runner_type = 'instance_type' then ${share} end as count offset 0) runs_there
               cross join lateral (
                 select oldest.*, row_number() over (order by oldest.id) as place from (
                   select jobs.id, jobs.pipeline_id, ${isPlain} as is_plain from jobs
                    where jobs.project_id = projects.id and jobs.status = 'pending' and jobs.kind = 'build' and ${suits} and ${isForActiveUser}
                    order by jobs.id limit ${sql.lit(CANDIDATES)}) oldest) first
         where ${runs} and ${servesAlike}
         order by turn, first.id limit ${sql.lit(CANDIDATES)}) found
     order by found.turn, found.id`

const candidatesFor = compiled((_db, runnerId: number) => lookingFor(sql`runners.id = ${runnerId}`))
const candidatesByDigests = compiled((_db, digests: readonly string[]) => lookingFor(sql`runners.token_digest = any(${digests})`))

/**
 * The jobs that a runner may be assigned, the next one first: the oldest, of the project with the fewest running jobs if all projects
 * share the runner, counting the candidates before it as running. Reads only, so that it needs no transaction: most queries find nothing.
 */
export const nextJobs = (db: Db, runnerId: number): Promise<Candidate[]> => candidatesFor(db, runnerId)

/**
 * The same for all runners whose tokens have these digests, by the ids of the runners; nothing for a wrong token. Equal runners share one
 * search.
 */
export async function nextJobsByDigests(db: Db, digests: readonly string[]): Promise<ReadonlyMap<number, readonly Candidate[]>> {
  if (digests.length === 0) return new Map()
  const rows = await candidatesByDigests(db, digests)
  const alike = [...Map.groupBy(rows, ({ runner_ids }) => runner_ids.join()).values()]
  return new Map(alike.flatMap(found => (found[0] as Found).runner_ids.map(runnerId => [runnerId, found] as const)))
}

/** A job that was announced to a runner. */
export interface Announced {
  /** Digest of the runner's token. */
  readonly digest: string
  readonly jobId: number
}

const announcedTo = compiled(
  (_db, digests: readonly string[], jobIds: readonly number[]) => sql<Candidate & { runner_id: number }>`
    select runners.id as runner_id, jobs.id, jobs.pipeline_id, ${isPlain} as is_plain
      from unnest(${digests}::text[], ${jobIds}::bigint[]) as announced(digest, job_id)
           join jobs on jobs.id = announced.job_id join projects on projects.id = jobs.project_id join namespaces on namespaces.id = projects.namespace_id
           join runners on runners.token_digest = announced.digest and runners.active
     where jobs.status = 'pending' and jobs.kind = 'build' and ${suits} and ${isForActiveUser} and ${runs} and ${serves}`,
)

/** The announced jobs that the runner of each digest may be assigned, by the ids of the runners. */
export async function announcedJobs(db: Db, announced: readonly Announced[]): Promise<ReadonlyMap<number, readonly Candidate[]>> {
  if (announced.length === 0) return new Map()
  const digests = announced.map(({ digest }) => digest)
  const jobIds = announced.map(({ jobId }) => jobId)
  const rows = await announcedTo(db, digests, jobIds)
  return Map.groupBy(rows, ({ runner_id }) => runner_id)
}

const holding = compiled((db, ids: readonly number[]) =>
  jobs(db)
    .where('jobs.id', '=', anyOf(ids))
    .where('jobs.status', '=', sql.lit('pending' as const))
    .where(isForActiveUser)
    .orderBy(sql`array_position(${ids}::bigint[], jobs.id)`)
    .limit(sql.lit(1))
    .forNoKeyUpdate()
    .skipLocked()
    .modifyFront(genericPlan),
)

/**
 * Locks the first of these jobs that is still pending for an active user, skipping locked ones. `db`
 * must be the transaction that moves it. Undefined if there is none left.
 */
export const claimOne = async (db: Db, candidates: readonly Candidate[]): Promise<JobRow | undefined> =>
  (
    await holding(
      db,
      candidates.map(({ id }) => id),
    )
  )[0]

const holdingAll = compiled((db, ids: readonly number[]) =>
  jobs(db)
    .where('jobs.id', '=', anyOf(ids))
    .where('jobs.status', '=', sql.lit('pending' as const))
    .where(isForActiveUser)
    .orderBy('jobs.id')
    .forNoKeyUpdate()
    .skipLocked(),
)

/** Locks all of these jobs that are still pending for active users, skipping locked ones. `db` must be the transaction that moves them. */
export const claimAll = (db: Db, ids: readonly number[]): Promise<JobRow[]> => holdingAll(db, ids)

/** Jobs that the same runners may run, and the waiting ones of these runners, longest wait first. */
export interface Match {
  readonly job_ids: readonly number[]
  readonly runner_ids: readonly number[]
}

/**
 * Which of these waiting runners may run which of these pending jobs; for each job at most as many runners as there are jobs, since no
 * more can be assigned. Jobs of one pipeline are mostly equal, and matched as one.
 * @param runnerIds longest wait first
 */
export async function matches(db: Db, jobIds: readonly number[], runnerIds: readonly number[]): Promise<Match[]> {
  const { rows } = await sql<Match>`
    with alike as (
      select project_id, tags, protected, array_agg(id order by id) as job_ids from jobs
       where id = any(${jobIds}) and status = 'pending' and ${isForActiveUser} group by project_id, tags, protected)
    select jobs.job_ids,
           array(select runners.id from unnest(${runnerIds}::bigint[]) with ordinality as waiting(id, place)
                   join runners on runners.id = waiting.id
                  where runners.active and ${suits} and ${serves} order by waiting.place limit ${jobIds.length}) as runner_ids
      from alike as jobs join projects on projects.id = jobs.project_id join namespaces on namespaces.id = projects.namespace_id
     where ${runs} order by jobs.job_ids`.execute(db)
  return rows
}
