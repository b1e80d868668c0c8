/** A job as JSON (document 2 "Job"). */

import Type from 'typebox'
import { extendedFields, presentExtended } from '../../identity/users/entity.ts'
import type { ExtendedRow } from '../../identity/users/queries.ts'
import { extendedUsersById, idsOf } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable, number, optional, text } from '../../platform/kernel/declaration/types.ts'
import { type Commits, commitAt, commitsAt } from '../commits.ts'
import { namedFields, PipelineStatus, presentNamed } from '../pipelines/lists/basic.ts'
import { type PipelineRow, pipelinesById } from '../pipelines/queries.ts'
import { type RunnerRow, runnersById } from '../runners/queries.ts'
import { presentRunnerSummary, runnerSummaryFields } from '../runners/summary.ts'
import { type ArtifactRow, artifactsOfJobs } from './entities/artifacts.ts'
import { durationOf, queuedDurationOf } from './entities/durations.ts'
import type { JobRow } from './queries.ts'

const Commit = Type.Object({
  author_email: text('Email address of the author'),
  author_name: text('Name of the author'),
  created_at: DateTime('When it was created'),
  id: text('ID, unique on the instance'),
  message: text('Message of the commit'),
  short_id: text('First characters of the ID'),
  title: text('First line of the message'),
})

const Artifact = Type.Object({
  file_type: text('Kind of the file: `archive`, `metadata`, `trace`, `junit` and others'),
  size: integer('Size in bytes'),
  filename: text('Name of the file'),
  file_format: Nullable(text('Format: `zip`, `gzip` or `raw`; null where unknown')),
})

/** The fields that jobs and bridges share, except their pipeline. */
export const sharedFields = {
  id: integer('ID, unique on the instance'),
  name: text('Name of the job'),
  stage: text('Name of the stage'),
  ref: text('Name of the branch or tag'),
  tag: flag('Whether the reference is a tag'),
  status: described('Status of the job', PipelineStatus),
  allow_failure: flag('Whether the pipeline passes when this job fails'),
  coverage: Nullable(number('Coverage in percent; null where none was found')),
  created_at: DateTime('When it was created'),
  started_at: Nullable(DateTime('When it began; null until then')),
  finished_at: Nullable(DateTime('When it ended; null until then')),
  duration: Nullable(number('Time it ran, in seconds; null until it ends')),
  queued_duration: number('Time it waited for a runner, in seconds; null until one takes it'),
  web_url: text('Address of the page for people'),
  /** Null if git no longer has it. */
  commit: Nullable(described('The commit of the pipeline; null where it is missing', Commit)),
  /** Null if the account was deleted. */
  user: Nullable(described('The user who started it; null where the account is deleted', Type.Object(extendedFields))),
}

/** The fields about artifacts and the runner. */
export const runFields = {
  runner: Nullable(described('The runner; null until one takes the job', Type.Object(runnerSummaryFields))),
  artifacts: described('Files that the job stored', Type.Array(Artifact)),
  artifacts_file: optional(
    described(
      'The archive of the artifacts; absent where there is none',
      Type.Object({ filename: text('Name of the file'), size: integer('Size in bytes') }),
    ),
  ),
  artifacts_expire_at: optional(DateTime('When the artifacts are deleted; null: never')),
  tag_list: described('Tags that the runner must have', Type.Array(Type.String())),
}

/** The related rows that jobs and bridges need. */
export interface Shared {
  readonly pipelines: ReadonlyMap<number, PipelineRow>
  readonly users: ReadonlyMap<number, ExtendedRow>
  readonly commits: Commits
}

export interface Loaded extends Shared {
  readonly runners: ReadonlyMap<number, RunnerRow>
  readonly artifacts: ReadonlyMap<number, readonly ArtifactRow[]>
}

/** Loads the related rows of jobs and bridges: three statements, and an exchange with git for each project. */
export async function loadShared(ctx: Context, rows: readonly JobRow[]): Promise<Shared> {
  // Sequential: after a write, all of them use the one connection of its transaction.
  const pipelines = await pipelinesById(ctx.db, idsOf(rows, 'pipeline_id'))
  const users = await extendedUsersById(ctx.db, idsOf(rows, 'user_id'))
  return { pipelines, users, commits: await commitsAt(ctx, [...pipelines.values()]) }
}

/** Loads the related rows of jobs: two further statements. */
export async function load(ctx: Context, rows: readonly JobRow[]): Promise<Loaded> {
  const ids = rows.map(row => row.id)
  const shared = await loadShared(ctx, rows)
  const runners = await runnersById(ctx.db, idsOf(rows, 'runner_id'))
  return { ...shared, runners, artifacts: await artifactsOfJobs(ctx.db, ids) }
}

/** The pipeline of a job. It exists, since jobs are deleted with it. */
export const pipelineOf = ({ pipelines }: Shared, { pipeline_id }: JobRow): PipelineRow => pipelines.get(pipeline_id) as PipelineRow

/** The page of a job. */
export const jobUrl = (id: number, projectPath: string, { url }: Pick<Facts, 'url'>): string => `${url}/${projectPath}/-/jobs/${id}`

/** The values of `sharedFields`. */
export function presentShared(row: JobRow, loaded: Shared, facts: Facts) {
  const pipeline = pipelineOf(loaded, row)
  const commit = commitAt(loaded.commits, pipeline)
  const user = row.user_id === null ? undefined : loaded.users.get(row.user_id)
  return {
    id: row.id,
    name: row.name,
    stage: row.stage,
    ref: pipeline.ref,
    tag: pipeline.tag,
    status: row.status,
    allow_failure: row.allow_failure,
    coverage: row.coverage,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    duration: durationOf(row, facts.now),
    // Contract: 0 for a job that has not been queued yet, never null (document 2 "Job").
    queued_duration: queuedDurationOf(row, facts.now) ?? 0,
    web_url: jobUrl(row.id, pipeline.project_path, facts),
    commit: commit
      ? {
          author_email: commit.author.email,
          author_name: commit.author.name,
          created_at: commit.committer.date,
          id: commit.id,
          message: commit.message,
          short_id: commit.id.slice(0, 8),
          title: commit.title,
        }
      : null,
    user: user ? presentExtended(user, facts) : null,
  }
}

/** The values of `runFields`. */
export function presentRun(row: JobRow, { runners, artifacts }: Loaded, facts: Facts) {
  const runner = row.runner_id === null ? undefined : runners.get(row.runner_id)
  const left = artifacts.get(row.id) ?? []
  const archive = left.find(({ file_type }) => file_type === 'archive')
  return {
    // Contract: null until a runner has taken the job (decision 23).
    runner: runner ? presentRunnerSummary(runner, facts) : null,
    artifacts: left.map(({ file_type, size, filename, file_format }) => ({ file_type, size, filename, file_format })),
    ...(archive && { artifacts_file: { filename: archive.filename, size: archive.size } }),
    ...(row.artifacts_expire_at !== null && { artifacts_expire_at: row.artifacts_expire_at }),
    tag_list: row.tags,
  }
}

const fields = { ...sharedFields, pipeline: described('The pipeline of the job', Type.Object(namedFields)), ...runFields }

const present = (row: JobRow, loaded: Loaded, facts: Facts) => ({
  ...presentShared(row, loaded, facts),
  pipeline: presentNamed(pipelineOf(loaded, row)),
  ...presentRun(row, loaded, facts),
})

export const Job = entity({ name: 'Job', schema: Type.Object(fields), load, present })

/** A job after its artifacts were kept or erased (document 2 `download_url`). */
export const JobWithDownload = entity({
  name: 'JobWithDownload',
  schema: Type.Object({ ...fields, download_url: described("Always null: files are fetched by the job's artifacts", Type.Null()) }),
  load,
  present: (row: JobRow, loaded: Loaded, facts) => ({ ...present(row, loaded, facts), download_url: null }),
})
