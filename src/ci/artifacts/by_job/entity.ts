/** A job with the artifacts that it has left, as JSON. Ours: the platform's API has no such list. */
import Type from 'typebox'
import { idsOf } from '../../../identity/users/queries.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable, text } from '../../../platform/kernel/declaration/types.ts'
import { type ArtifactRow, artifactsOfJobs } from '../../jobs/entities/artifacts.ts'
import { jobUrl } from '../../jobs/entity.ts'
import { type JobRow, jobsById } from '../../jobs/queries.ts'
import { PipelineStatus } from '../../pipelines/lists/basic.ts'
import { type PipelineRow, pipelinesById } from '../../pipelines/queries.ts'
import { type JobWithArtifactsRow, keepingPipelines } from './queries.ts'

const schema = Type.Object({
  job: described(
    'The job',
    Type.Object({
      id: integer('ID, unique on the instance'),
      name: text('Name of the job'),
      stage: text('Name of the stage'),
      status: described('Status of the job', PipelineStatus),
      ref: text('Name of the branch or tag'),
      tag: flag('Whether the reference is a tag'),
      created_at: DateTime('When it was created'),
      web_url: text('Address of the page for people'),
    }),
  ),
  size: integer('Size of its artifacts together, in bytes; without the log'),
  expire_at: Nullable(DateTime('When the artifacts are deleted; null: never')),
  locked: flag('Whether they outlive that, as those of the latest successful pipeline of their reference'),
  artifacts: described(
    'The files',
    Type.Array(
      Type.Object({
        id: integer('ID, unique on the instance'),
        file_type: text('Kind of the file: `archive`, `metadata`, `trace`, `junit` and others'),
        file_format: Nullable(text('Format: `zip`, `gzip` or `raw`; null where unknown')),
        filename: text('Name of the file'),
        size: integer('Size in bytes'),
        created_at: DateTime('When it was stored'),
      }),
    ),
  ),
})

/** What a page of jobs with artifacts is presented from: four statements. */
export interface LoadedByJob {
  readonly jobs: ReadonlyMap<number, JobRow>
  readonly pipelines: ReadonlyMap<number, PipelineRow>
  readonly artifacts: ReadonlyMap<number, readonly ArtifactRow[]>
  /** Pipelines that keep theirs. */
  readonly keeping: ReadonlySet<number>
}

/** Loads what belongs to jobs with artifacts, all of one project. */
export async function loadByJob({ db }: Pick<Context, 'db'>, rows: readonly Pick<JobWithArtifactsRow, 'id'>[]): Promise<LoadedByJob> {
  const ids = rows.map(({ id }) => id)
  const jobs = await jobsById(db, ids)
  const pipelines = await pipelinesById(db, idsOf([...jobs.values()], 'pipeline_id'))
  const [first] = pipelines.values()
  return {
    jobs,
    pipelines,
    artifacts: await artifactsOfJobs(db, ids),
    keeping: first ? await keepingPipelines(db, first.project_id, [...pipelines.keys()]) : new Set(),
  }
}

export const JobWithArtifacts = entity<JobWithArtifactsRow, LoadedByJob, typeof schema>({
  name: 'JobWithArtifacts',
  schema,
  load: loadByJob,
  present({ id, size, ref }, { jobs, pipelines, artifacts, keeping }, facts) {
    // Both exist, since the row is deleted with its job.
    const job = jobs.get(id) as JobRow
    const pipeline = pipelines.get(job.pipeline_id) as PipelineRow
    return {
      job: {
        id,
        name: job.name,
        stage: job.stage,
        status: job.status,
        ref,
        tag: pipeline.tag,
        created_at: job.created_at,
        web_url: jobUrl(id, pipeline.project_path, facts),
      },
      size,
      expire_at: job.artifacts_expire_at,
      locked: keeping.has(pipeline.id),
      artifacts: (artifacts.get(id) ?? []).map(({ id, file_type, file_format, filename, size, created_at }) => ({
        id,
        file_type,
        file_format,
        filename,
        size,
        created_at,
      })),
    }
  },
})
