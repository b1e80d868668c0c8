/** Reads of the archives of jobs. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Stored } from '../../spaces/projects/repository/store.ts'
import { type ArtifactRow, artifacts } from '../jobs/entities/artifacts.ts'
import { type JobRow, jobById } from '../jobs/queries.ts'
import { isTagMeant } from '../named_ref.ts'
import { keepsLatest } from './keeps_latest.ts'
import type { ArtifactTypeName } from './types.ts'

/** The files of a type that can be downloaded: those that have not expired, or that their pipeline keeps (`keep_latest_artifact`). */
const downloadable = (db: Db, now: Date, type: ArtifactTypeName) =>
  artifacts(db)
    .where('file_type', '=', type)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('expires_at', 'is', null),
        eb('expires_at', '>', now.toISOString()),
        exists(
          selectFrom('jobs')
            .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
            .innerJoin('projects', 'projects.id', 'pipelines.project_id')
            .select('jobs.id')
            .whereRef('jobs.id', '=', 'job_artifacts.job_id')
            .where('pipelines.locked', '=', true)
            .where(keepsLatest),
        ),
      ]),
    )

const archives = (db: Db, now: Date) => downloadable(db, now, 'archive')

/** The downloadable report of this type that a job left. */
export const reportOf = (db: Db, jobId: number, type: ArtifactTypeName, now: Date): Promise<ArtifactRow | undefined> =>
  downloadable(db, now, type).where('job_artifacts.job_id', '=', jobId).executeTakeFirst()

/** The downloadable archive of a job. */
export const archiveOf = (db: Db, jobId: number, now: Date): Promise<ArtifactRow | undefined> =>
  archives(db, now).where('job_artifacts.job_id', '=', jobId).executeTakeFirst()

/** The downloadable archives of the jobs of a pipeline that expose theirs (`artifacts:expose_as`). `most`: the first few. */
export const exposedArchives = (db: Db, pipelineId: number, now: Date, most: number) =>
  archives(db, now)
    .innerJoin('jobs', 'jobs.id', 'job_artifacts.job_id')
    .select(['jobs.name as job_name', 'jobs.options'])
    .where('jobs.pipeline_id', '=', pipelineId)
    .where('jobs.retried', '=', false)
    .where(sql<boolean>`jobs.options #>> '{artifacts,expose_as}' is not null`)
    .orderBy('jobs.id')
    .limit(most)

/**
 * The job whose archive a reference serves (document 2 "Job artifacts"; decision 26): the successful job of that name in the latest
 * successful pipeline that is no child pipeline; if it has no archive there, the search continues in its child pipelines, level by level.
 */
export async function latestJobWithArchive(
  ctx: Pick<Context, 'db' | 'deps'>,
  project: Stored & { readonly id: number },
  ref: string,
  name: string,
): Promise<JobRow | undefined> {
  const { db } = ctx
  const tag = await isTagMeant(ctx, project, ref)
  const { rows } = await sql<{ id: number }>`
    with recursive latest as (
      select id from pipelines
       where project_id = ${project.id} and ref = ${ref} and tag = coalesce(${tag ?? null}::boolean, tag)
         and status = 'success' and parent_id is null order by id desc limit 1
    ), tree (id, depth) as (
      select id, 0 from latest
      union all
      select pipelines.id, tree.depth + 1 from pipelines join tree on pipelines.parent_id = tree.id where tree.depth < 10
    )
    select jobs.id from tree join jobs on jobs.pipeline_id = tree.id
     where jobs.name = ${name} and jobs.status = 'success' and jobs.kind = 'build' and not jobs.retried
       and exists (select from job_artifacts where job_id = jobs.id and file_type = 'archive')
     order by tree.depth, jobs.id desc limit 1`.execute(db)
  return rows[0] && jobById(db, rows[0].id)
}
