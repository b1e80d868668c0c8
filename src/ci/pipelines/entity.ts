/** A single pipeline as JSON (pipelines API at 14.0). */

import { sql } from 'kysely'
import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { zeroId } from '../../platform/git/index.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { DetailedStatus, detailedStatusOf } from '../detailed_status.ts'
import { listedFields, presentListed } from './lists/basic.ts'
import type { PipelineRow } from './queries.ts'

/** Facts about the jobs of a pipeline. */
interface FromJobs {
  /** The mean coverage of its jobs, in percent. */
  readonly coverage: number | null
  /** Has a job failed that may fail? */
  readonly hasWarnings: boolean
}

/** Aggregates the jobs of these pipelines: one statement, none for no pipelines. */
async function fromJobs(db: Db, pipelineIds: readonly number[]): Promise<Map<number, FromJobs>> {
  if (pipelineIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('jobs')
    .select(({ fn }) => [
      'pipeline_id',
      fn.avg<number | null>('coverage').as('coverage'),
      sql<boolean>`bool_or(allow_failure and status in ('failed', 'canceled'))`.as('hasWarnings'),
    ])
    .where('pipeline_id', '=', anyOf(pipelineIds))
    .where('retried', '=', false)
    .groupBy('pipeline_id')
    .execute()
  return new Map(rows.map(({ pipeline_id, ...facts }) => [pipeline_id, facts]))
}

/** The fields of a single pipeline. */
export const fields = {
  ...listedFields,
  // Contract: zeros if there was no push (public behaviour at 14.0).
  before_sha: text('ID of the commit before the push; zeros where there was none'),
  tag: flag('Whether the reference is a tag'),
  yaml_errors: Nullable(text('What is wrong with the CI file; null where nothing is')),
  user: Nullable(described('The user who started it; null where the account is deleted', Type.Object(summaryFields))),
  started_at: Nullable(DateTime('When it began; null until then')),
  finished_at: Nullable(DateTime('When it ended; null until then')),
  committed_at: Nullable(DateTime('When the commit of the pipeline was made; null where it is missing')),
  duration: Nullable(integer('Time that its jobs ran, in seconds; null until it ends')),
  queued_duration: Nullable(integer('Time until its first job started, in seconds; null until then')),
  // Contract: a text with two digits behind the point (pipelines API at 14.0).
  coverage: Nullable(text('Coverage in percent; null where none was found')),
  detailed_status: described('The state as pages show it', DetailedStatus),
}

export interface Loaded {
  readonly users: ReadonlyMap<number, SummaryRow>
  readonly jobs: ReadonlyMap<number, FromJobs>
}

/** The related rows of single pipelines: two statements. */
export async function load({ db }: Context, rows: readonly PipelineRow[]): Promise<Loaded> {
  const ids = rows.map(row => row.id)
  return { users: await usersById(db, idsOf(rows, 'user_id')), jobs: await fromJobs(db, ids) }
}

/** The values of `fields`. */
export function present(row: PipelineRow, { users, jobs }: Loaded, facts: Facts) {
  const user = row.user_id === null ? undefined : users.get(row.user_id)
  const { coverage, hasWarnings } = jobs.get(row.id) ?? { coverage: null, hasWarnings: false }
  return {
    ...presentListed(row, facts),
    before_sha: row.before_sha ?? zeroId,
    tag: row.tag,
    yaml_errors: row.yaml_errors,
    user: user ? presentSummary(user, facts) : null,
    started_at: row.started_at,
    finished_at: row.finished_at,
    committed_at: row.committed_at,
    duration: row.duration,
    queued_duration: row.queued_duration,
    coverage: coverage === null ? null : Number(coverage).toFixed(2),
    detailed_status: detailedStatusOf(row.status, { hasWarnings, path: `/${row.project_path}/-/pipelines/${row.id}` }),
  }
}

export const Pipeline = entity({ name: 'Pipeline', schema: Type.Object(fields), load, present })
