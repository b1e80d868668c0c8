/** Test reports of jobs: parsed once in the background, and combined for a pipeline (unit test reports at 14.0). */

import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { enqueue } from '../../platform/events/worker.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { artifactsReadableBy } from '../artifacts/scope.ts'
import { keepTestReport } from '../artifacts/test_reports.ts'
import { bytesAt, objectSource } from '../artifacts/zip/index.ts'
import { type ArtifactRow, artifacts } from '../jobs/entities/artifacts.ts'
import { filesIn, UnfitGzip } from './gzip.ts'
import { CaseReader, type TestCase, type TestStatus, UnfitReport } from './junit.ts'

/** The parsed report of one job. */
export interface JobReport {
  readonly success_count: number
  readonly failed_count: number
  readonly skipped_count: number
  readonly error_count: number
  /** In seconds. */
  readonly total_time: number
  /** Why it could not be parsed. */
  readonly suite_error: string | null
  readonly cases: readonly TestCase[]
}

/** Maximum size of a packed report in bytes; it is held in memory while it is parsed. */
const MAX_PACKED = 20 * 1024 * 1024

/** Queues the parse of a report in the transaction. */
export const askForParsing = (db: Db, artifact_id: number): Promise<void> => enqueue(db, 'parse_test_report', { artifact_id })

/** Parses a report and stores the result; does nothing if the report was deleted. */
export async function parseTestReport(deps: Deps, { artifact_id }: { readonly artifact_id: number }): Promise<void> {
  const { db } = deps.database
  const artifact = await artifacts(db).where('job_artifacts.id', '=', artifact_id).executeTakeFirst()
  if (!artifact) return
  const { cases, ...report } = await readReport(deps, artifact)
  await keepTestReport(db, artifact_id, { ...report, cases: JSON.stringify(cases) }, deps.now())
}

/** Parses a report from the store. An unreadable one also has a result, which gives the reason. */
export async function readReport({ objects }: Pick<Deps, 'objects'>, artifact: Pick<ArtifactRow, 'key' | 'size'>): Promise<JobReport> {
  const reader = new CaseReader()
  try {
    if (artifact.size > MAX_PACKED) throw new UnfitReport('JUnit data parsing failed: the report is too large')
    const packed = await bytesAt(objectSource(objects, artifact), 0, artifact.size)
    for await (const file of filesIn(packed)) await reader.read(file)
  } catch (error) {
    if (!(error instanceof UnfitReport || error instanceof UnfitGzip)) throw error
    return reportOf([], error.message)
  }
  return reportOf(reader.cases, null)
}

const countOf = (cases: readonly TestCase[], status: TestStatus): number => cases.filter(testCase => testCase.status === status).length

const reportOf = (cases: readonly TestCase[], suite_error: string | null): JobReport => ({
  success_count: countOf(cases, 'success'),
  failed_count: countOf(cases, 'failed'),
  skipped_count: countOf(cases, 'skipped'),
  error_count: countOf(cases, 'error'),
  total_time: cases.reduce((sum, { execution_time }) => sum + execution_time, 0),
  suite_error,
  cases,
})

/** Reports of jobs with one name: copies by `parallel` count as one (`rspec 1/3`). */
export interface TestSuite extends JobReport {
  readonly name: string
  readonly job_ids: readonly number[]
}

/**
 * The suites of a pipeline, of jobs that were not retried, in the order of their jobs. Reports that are not parsed yet are parsed here, so
 * that a finished pipeline has all of its reports. Without `cases` there are only totals. Reports are artifacts: those that are withheld
 * from the caller are left out.
 */
export async function testSuitesOf(
  ctx: Pick<Context, 'db' | 'actor'> & { readonly deps: Pick<Deps, 'objects'> },
  project: ProjectWithRole,
  pipelineId: number,
  { cases = true } = {},
): Promise<TestSuite[]> {
  return suitesFrom(ctx, (await reportsOfPipelines(ctx, project, [pipelineId])).get(pipelineId) ?? [], cases)
}

/** A report that is not parsed into cases yet. */
export type ReportArtifact = ArtifactRow & { readonly job_name: string; readonly pipeline_id: number }

/** The reports of pipelines of one project, of jobs that were not retried, in the order of their jobs. */
export async function reportsOfPipelines(
  ctx: Pick<Context, 'db' | 'actor'>,
  project: ProjectWithRole,
  pipelineIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ReportArtifact[]>> {
  const rows = await artifacts(ctx.db)
    .innerJoin('jobs', 'jobs.id', 'job_artifacts.job_id')
    .select(['jobs.name as job_name', 'jobs.pipeline_id'])
    .where('jobs.pipeline_id', '=', anyOf(pipelineIds))
    .where('jobs.retried', '=', false)
    .where('job_artifacts.file_type', '=', 'junit')
    .where(await artifactsReadableBy(ctx, project))
    .orderBy('jobs.id')
    .execute()
  return Map.groupBy(rows, row => row.pipeline_id)
}

/** The suites that these reports have. */
export async function suitesFrom(
  { db, deps }: { readonly db: Db; readonly deps: Pick<Deps, 'objects'> },
  rows: readonly ReportArtifact[],
  cases: boolean,
): Promise<TestSuite[]> {
  const parsed = await parsedReports(
    db,
    rows.map(row => row.job_id),
    cases,
  )
  const suites = new Map<string, TestSuite>()
  for (const row of rows) {
    const name = suiteName(row.job_name)
    const report = parsed.get(row.job_id) ?? (await readReport(deps, row))
    const suite = suites.get(name)
    suites.set(name, suite ? merged(suite, report, row.job_id) : { ...report, name, job_ids: [row.job_id] })
  }
  return [...suites.values()]
}

async function parsedReports(db: Db, jobIds: readonly number[], cases: boolean): Promise<Map<number, JobReport>> {
  if (jobIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('test_reports')
    .select(['job_id', 'success_count', 'failed_count', 'skipped_count', 'error_count', 'total_time', 'suite_error'])
    .$if(cases, query => query.select('cases'))
    .where('job_id', '=', anyOf(jobIds))
    .execute()
  return new Map(rows.map(row => [row.job_id, { ...row, cases: (row.cases ?? []) as unknown as TestCase[] }]))
}

const merged = (suite: TestSuite, report: JobReport, jobId: number): TestSuite => ({
  name: suite.name,
  job_ids: [...suite.job_ids, jobId],
  success_count: suite.success_count + report.success_count,
  failed_count: suite.failed_count + report.failed_count,
  skipped_count: suite.skipped_count + report.skipped_count,
  error_count: suite.error_count + report.error_count,
  total_time: suite.total_time + report.total_time,
  suite_error: suite.suite_error ?? report.suite_error,
  cases: [...suite.cases, ...report.cases],
})

/** The name of a job without the index of `parallel`; the copies of a matrix stay separate. */
export const suiteName = (jobName: string): string => jobName.replace(/[\s:]+\d+[\s:/\\]+\d+\s*$/, '').trim() || jobName
