/** CI/CD to look at: a project with very many jobs, a pipeline of a thousand, and a job that has written a long log and goes on writing. */
import { sql } from 'kysely'
import { countRecentDays } from '../../src/ci/usage/counting.ts'
import { digestOf, newToken } from '../../src/platform/kernel/secrets.ts'
import { call } from '../api.ts'
import type { RunningIngot } from '../ingot.ts'
import type { Site } from '../site.ts'
import { cookieOf } from './session.ts'

export interface BuiltProject {
  readonly id: number
  /** `/root/built` */
  readonly path: string
  /** A session of the administrator, `name=value`. */
  readonly cookie: string
  /** The pipeline of a thousand jobs, and one of these. */
  readonly pipelineId: number
  readonly jobOfPipeline: number
  /** The job with the log, its token, and how long the log is. */
  readonly logged: { readonly id: number; readonly token: string; readonly bytes: number }
}

/** Jobs of each of the many pipelines. */
const JOBS = 50
/** Of the pipeline with the graph: stages with so many jobs each, of which every one needs two of the stage before. */
const [STAGES, WIDTH] = [20, 50]
/** The log: parts as runners send them, of lines of eighty bytes. 52 MB. */
const [PARTS, LINES, LINE] = [800, 819, 80]
/** Jobs that are loaded by one statement. */
const BATCH = 100_000

const stages = Array.from({ length: STAGES }, (_, at) => `stage-${at}`)

/** Makes the project with so many jobs, half of them with an artifact. */
export async function makeBuiltProject(ingot: RunningIngot, { deps }: Site, jobs: number): Promise<BuiltProject> {
  const { db } = deps.database
  const { body: project } = await call<{ id: number; path_with_namespace: string }>(ingot, 'POST', '/projects', { name: 'built' })
  const { id } = project
  const { body: commit } = await call<{ id: string }>(ingot, 'POST', `/projects/${id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Build much',
    actions: [{ action: 'create', file_path: 'README.md', content: '# Built\n' }],
  })
  const { id: user_id } = await db.selectFrom('users').select('id').where('username', '=', 'root').executeTakeFirstOrThrow()
  const token = newToken()
  const { pipelineId, jobOfPipeline } = await makeWidePipeline(deps, id, commit.id)
  const logged = {
    id: await makeLog(deps, { project_id: id, user_id, token_digest: digestOf(token) }, commit.id),
    token: token.reveal(),
    bytes: PARTS * LINES * LINE,
  }
  for (let first = 0; first < jobs; first += BATCH)
    await db.transaction().execute(async tx => {
      await sql`set local statement_timeout = 0`.execute(tx)
      // Nothing looks at these jobs while they are loaded, and their keys are right.
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`
        with made as (
          insert into pipelines (iid, project_id, ref, sha, source, status, stages, created_at, started_at, finished_at, duration)
          select 1000 + ${first}::int / ${JOBS}::int + n, ${id}, 'branch-' || n % 20, ${commit.id}, 'push', case when n % 9 = 0 then 'failed' else 'success' end,
                 array['test'], at, at, at + interval '5 minutes', 300
            from generate_series(1, ${BATCH / JOBS}::int) n cross join lateral (select now() - interval '90 days' * (1 - (${first}::float8 + n * ${JOBS}::int) / ${jobs}::float8) as at) made
          returning id, created_at
        ), ran as (
          insert into jobs (project_id, pipeline_id, name, stage, stage_position, status, created_at, queued_at, started_at, finished_at)
          select ${id}, made.id, 'job ' || n, 'test', 0, case when n % 40 = 0 then 'failed' else 'success' end, created_at, created_at,
                 created_at + n * interval '1 second', created_at + n * interval '5 seconds'
            from made cross join generate_series(1, ${JOBS}::int) n
          returning id
        )
        insert into jobs_with_artifacts (job_id, project_id, ref, size, files)
        select id, ${id}, 'branch-' || id % 20, (id * 7919) % 1000000, 2 from ran where id % 2 = 0`.execute(tx)
    })
  await sql`analyze pipelines, jobs, jobs_with_artifacts`.execute(db)
  await countRecentDays(deps, 1)
  return {
    id,
    path: `/${project.path_with_namespace}`,
    cookie: await cookieOf(deps, user_id),
    pipelineId,
    jobOfPipeline,
    logged,
  }
}

const newPipeline = (projectId: number, sha: string, iid: number) => ({
  iid,
  project_id: projectId,
  ref: 'main',
  sha,
  source: 'push' as const,
  status: 'running' as const,
  stages,
})

async function makeWidePipeline({ database: { db } }: Site['deps'], projectId: number, sha: string) {
  const pipeline = await db
    .insertInto('pipelines')
    .values(newPipeline(projectId, sha, 1))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ id: number }>`
    insert into jobs (project_id, pipeline_id, name, stage, stage_position, status, scheduling)
    select ${projectId}, ${pipeline.id}, 'job ' || stage || '-' || n, 'stage-' || stage, stage, case when stage < 9 then 'success' else 'created' end, 'dag'
      from generate_series(0, ${STAGES - 1}::int) stage cross join generate_series(1, ${WIDTH}::int) n returning id`.execute(db)
  await sql`
    insert into job_needs (job_id, pipeline_id, name)
    select jobs.id, pipeline_id, 'job ' || stage_position - 1 || '-' || 1 + (jobs.id + step) % ${WIDTH}::int
      from jobs cross join generate_series(0, 1) step where pipeline_id = ${pipeline.id} and stage_position > 0`.execute(db)
  return { pipelineId: pipeline.id, jobOfPipeline: rows.at(-1)?.id as number }
}

/** A job of the user, since the token of one without would not count. */
async function makeLog(
  { database: { db } }: Site['deps'],
  job: { readonly project_id: number; readonly user_id: number; readonly token_digest: string },
  sha: string,
): Promise<number> {
  const pipeline = await db
    .insertInto('pipelines')
    .values(newPipeline(job.project_id, sha, 2))
    .returning('id')
    .executeTakeFirstOrThrow()
  const now = new Date()
  const { id } = await db
    .insertInto('jobs')
    .values({
      ...job,
      pipeline_id: pipeline.id,
      name: 'writes much',
      stage: 'stage-0',
      stage_position: 0,
      status: 'running',
      trace_size: PARTS * LINES * LINE,
      queued_at: now,
      started_at: now,
      contacted_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into job_trace_chunks (job_id, start, bytes)
    select ${id}, part * ${LINES * LINE}::bigint, convert_to(repeat(rpad('compiling src/part_' || part || '.c with all that the compiler warns of ', ${LINE - 1}::int, '.') || chr(10), ${LINES}::int), 'UTF8')
      from generate_series(0, ${PARTS - 1}::int) part`.execute(db)
  return id
}
