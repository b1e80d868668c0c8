/** Since when the tests of a pipeline fail: in how many pipelines of its branch or tag in a row. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { PipelineRow } from '../pipelines/queries.ts'
import { isFailure, type TestCase } from './junit.ts'
import { type ReportArtifact, reportsOfPipelines, suiteName, type TestSuite } from './test_reports.ts'

/** Earlier pipelines that are looked at, and cases in their reports. */
const MOST_PIPELINES = 50
const MOST_CASES = 200_000

/** How long a test has failed. */
export interface FailingSince {
  /** The first pipeline in which it failed, after which it failed in each that ran it. */
  readonly first: Pick<PipelineRow, 'id' | 'created_at'>
  /** Pipelines that it failed in, in a row. */
  readonly count: number
  /** Has it failed in all that were looked at, so that it may have begun before? */
  readonly isOpen: boolean
}

/** Since when a case of a suite fails; undefined where no earlier pipeline has run its suite. */
export type FailingSinceOf = (suite: string, testCase: Pick<TestCase, 'classname' | 'name'>) => FailingSince | undefined

/** A pipeline before: the suites that it reported, and the cases that failed in them. */
export interface EarlierPipeline {
  readonly pipeline: Pick<PipelineRow, 'id' | 'created_at'>
  readonly suites: ReadonlySet<string>
  readonly failed: ReadonlySet<string>
}

const keyOf = (suite: string, { classname, name }: Pick<TestCase, 'classname' | 'name'>): string => `${suite}\0${classname ?? ''}\0${name}`

/**
 * Follows each failure back. A pipeline that did not run the suite says nothing about its cases.
 * @param earlier from the newest to the oldest; `isCut`: there are older ones
 */
export function followBack(
  now: Pick<PipelineRow, 'id' | 'created_at'>,
  earlier: readonly EarlierPipeline[],
  { isCut }: { readonly isCut: boolean },
): FailingSinceOf {
  return (suite, testCase) => {
    const ran = earlier.filter(({ suites }) => suites.has(suite))
    if (ran.length === 0) return undefined
    const passed = ran.findIndex(({ failed }) => !failed.has(keyOf(suite, testCase)))
    const before = passed < 0 ? ran : ran.slice(0, passed)
    return { first: before.at(-1)?.pipeline ?? now, count: before.length + 1, isOpen: passed < 0 && isCut }
  }
}

/** Since when each failure of these suites fails: three statements, none where nothing fails. */
export async function failingSince(
  ctx: Pick<Context, 'db' | 'actor'>,
  project: ProjectWithRole,
  pipeline: PipelineRow,
  suites: readonly TestSuite[],
): Promise<FailingSinceOf> {
  const names = new Set(suites.flatMap(({ cases }) => cases.filter(isFailure).map(({ name }) => name)))
  if (names.size === 0) return () => undefined
  const pipelines = await pipelinesBefore(ctx.db, pipeline)
  const reports = await reportsOfPipelines(
    ctx,
    project,
    pipelines.map(({ id }) => id),
  )
  const jobIds = [...reports.values()].flat().map(({ job_id }) => job_id)
  const { failures, isCut } = await failuresOf(ctx.db, jobIds, [...names])
  const earlier = pipelines.map(before => earlierOf(before, reports.get(before.id) ?? [], failures))
  return followBack(pipeline, earlier, { isCut: isCut || pipelines.length === MOST_PIPELINES })
}

/** The pipelines of the same branch or tag before one, from the newest; those of children are kept apart. */
const pipelinesBefore = (db: Db, { id, project_id, ref, tag, source }: PipelineRow) =>
  db
    .selectFrom('pipelines')
    .select(['id', 'created_at'])
    .where('project_id', '=', project_id)
    .where('ref', '=', ref)
    .where('tag', '=', tag)
    .where('id', '<', id)
    .where('source', source === 'parent_pipeline' ? '=' : '<>', 'parent_pipeline')
    .orderBy('id', 'desc')
    .limit(MOST_PIPELINES)
    .execute()

type Failures = ReadonlyMap<number, readonly Pick<TestCase, 'classname' | 'name'>[]>

/** The failures with these names in the parsed reports of jobs, newest first until there are too many cases to read. */
async function failuresOf(
  db: Db,
  jobIds: readonly number[],
  names: readonly string[],
): Promise<{ readonly failures: Failures; readonly isCut: boolean }> {
  if (jobIds.length === 0) return { failures: new Map(), isCut: false }
  const { rows } = await sql<{ job_id: number; is_read: boolean; name: string | null; classname: string | null }>`
    select job_id, is_read, found.value ->> 'name' as name, found.value ->> 'classname' as classname
      from (select job_id, cases, failed_count + error_count as failures,
                   sum(success_count + failed_count + skipped_count + error_count) over (order by job_id desc) <= ${MOST_CASES} as is_read
              from test_reports where job_id = any(${jobIds}::bigint[])) as report
           left join lateral (
             select value from json_array_elements(case when is_read and failures > 0 then cases else '[]' end) as listed(value)
              where value ->> 'status' in ('failed', 'error') and value ->> 'name' = any(${names}::text[])) as found on true`.execute(db)
  const failures = new Map<number, Pick<TestCase, 'classname' | 'name'>[]>()
  for (const { job_id, is_read, name, classname } of rows) {
    if (!is_read) continue
    const ofJob = failures.get(job_id) ?? []
    failures.set(job_id, ofJob)
    if (name !== null) ofJob.push({ name, classname })
  }
  return { failures, isCut: rows.some(({ is_read }) => !is_read) }
}

/** What a pipeline reported, as far as it was read. */
function earlierOf(pipeline: EarlierPipeline['pipeline'], reports: readonly ReportArtifact[], failures: Failures): EarlierPipeline {
  const read = reports.filter(({ job_id }) => failures.has(job_id)).map(({ job_id, job_name }) => ({ job_id, suite: suiteName(job_name) }))
  const failed = read.flatMap(({ job_id, suite }) => (failures.get(job_id) ?? []).map(testCase => keyOf(suite, testCase)))
  return { pipeline, suites: new Set(read.map(({ suite }) => suite)), failed: new Set(failed) }
}
