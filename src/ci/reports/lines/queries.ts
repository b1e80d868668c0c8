/** Reads of what reports say of lines. Reports are artifacts: those that are withheld from the caller are left out. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { artifactsReadableBy } from '../../artifacts/scope.ts'
import type { ArtifactTypeName } from '../../artifacts/types.ts'
import { artifacts } from '../../jobs/entities/artifacts.ts'
import { type Severity, severities } from './code_quality.ts'
import type { lineReports } from './parse.ts'

type LineReport = (typeof lineReports)[number]

/** A report of a job of a pipeline. */
export interface ReportOfPipeline {
  readonly pipeline_id: number
  readonly artifact_id: number
  readonly file_type: LineReport
  /** Was it parsed? */
  readonly is_read: boolean
  /** Why it, or a part of it, could not be read. */
  readonly error: string | null
}

/** Pipelines of one project whose reports are read. */
export interface PipelinesOfProject {
  readonly project: ProjectWithRole
  readonly pipelineIds: readonly number[]
}

/** The reports of jobs that were not retried. One statement, and one for flags. */
export async function lineReportsOf(
  ctx: Pick<Context, 'db' | 'actor'>,
  { project, pipelineIds }: PipelinesOfProject,
  types: readonly LineReport[],
): Promise<readonly ReportOfPipeline[]> {
  if (pipelineIds.length === 0) return []
  const rows = await artifacts(ctx.db)
    .clearSelect()
    .innerJoin('jobs', 'jobs.id', 'job_artifacts.job_id')
    .leftJoin('line_reports', 'line_reports.artifact_id', 'job_artifacts.id')
    .select(({ eb }) => [
      'jobs.pipeline_id',
      'job_artifacts.id as artifact_id',
      'job_artifacts.file_type',
      eb('line_reports.artifact_id', 'is not', null).as('is_read'),
      'line_reports.error',
    ])
    .where('jobs.pipeline_id', '=', anyOf(pipelineIds))
    .where('jobs.retried', '=', false)
    .where('job_artifacts.file_type', 'in', types as readonly ArtifactTypeName[])
    .where(await artifactsReadableBy(ctx, project))
    .orderBy('jobs.id')
    .execute()
  return rows as readonly ReportOfPipeline[]
}

/** How often lines of some files ran, by path and line: several reports add up. One statement. */
export async function coverageOfFiles(
  db: Db,
  artifactIds: readonly number[],
  paths: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
  if (artifactIds.length === 0 || paths.length === 0) return new Map()
  const rows = await db
    .selectFrom('coverage_files')
    .select(['path', 'lines', 'hits'])
    .where('artifact_id', '=', anyOf(artifactIds))
    .where('path', '=', anyOf(paths))
    .execute()
  const files = new Map<string, Map<number, number>>()
  for (const { path, lines, hits } of rows) {
    const file = files.get(path) ?? new Map<number, number>()
    files.set(path, file)
    for (const [index, line] of lines.entries()) file.set(line, (file.get(line) ?? 0) + (hits[index] ?? 0))
  }
  return files
}

/** A finding as it is shown. */
export interface ShownFinding {
  readonly path: string
  readonly line: number
  readonly severity: Severity
  readonly check_name: string | null
  readonly description: string
}

/** What differs between two pipelines. */
export interface FindingChanges {
  readonly newCount: number
  readonly fixedCount: number
  /** The first few, the most severe first. */
  readonly fresh: readonly ShownFinding[]
  readonly fixed: readonly ShownFinding[]
}

/** Findings of some reports whose fingerprint is in none of the others. */
const findingsBeside = (db: Db, of: readonly number[], others: readonly number[]) =>
  db
    .selectFrom('code_quality_findings as finding')
    .where('finding.artifact_id', '=', anyOf(of))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('code_quality_findings as other')
            .select('other.artifact_id')
            .where('other.artifact_id', '=', anyOf(others))
            .whereRef('other.fingerprint', '=', 'finding.fingerprint'),
        ),
      ),
    )

const shownFields = ['finding.path', 'finding.line', 'finding.severity', 'finding.check_name', 'finding.description'] as const
const rank = sql<number>`array_position(${[...severities]}::text[], finding.severity)`

/** What a change adds and takes away. Two statements. `few`: how many of each are shown. */
export async function findingChanges(db: Db, head: readonly number[], base: readonly number[], few: number): Promise<FindingChanges> {
  const read = (of: readonly number[], others: readonly number[]) =>
    findingsBeside(db, of, others)
      .select(shownFields)
      .select(sql<number>`count(*) over ()`.as('total'))
      .orderBy(rank, 'desc')
      .orderBy('finding.path')
      .orderBy('finding.line')
      .limit(few)
      .execute()
  const [fresh, fixed] = await Promise.all([read(head, base), read(base, head)])
  return {
    newCount: fresh[0]?.total ?? 0,
    fixedCount: fixed[0]?.total ?? 0,
    fresh: fresh as readonly ShownFinding[],
    fixed: fixed as readonly ShownFinding[],
  }
}

/** New findings in some files. One statement. */
export async function newFindingsIn(
  db: Db,
  head: readonly number[],
  base: readonly number[],
  paths: readonly string[],
  most: number,
): Promise<readonly ShownFinding[]> {
  if (head.length === 0 || paths.length === 0) return []
  const rows = await findingsBeside(db, head, base)
    .select(shownFields)
    .where('finding.path', '=', anyOf(paths))
    .orderBy('finding.path')
    .orderBy('finding.line')
    .orderBy('finding.number')
    .limit(most)
    .execute()
  return rows as readonly ShownFinding[]
}
