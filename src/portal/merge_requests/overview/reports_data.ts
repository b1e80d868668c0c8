/** What the jobs of a merge request's pipeline report, beside what those of the target did. A fixed number of statements. */
import { exposedArchives } from '../../../ci/artifacts/queries.ts'
import { artifactsReadableBy } from '../../../ci/artifacts/scope.ts'
import { findEntry, isReadable, UnfitZip } from '../../../ci/artifacts/zip/index.ts'
import type { JobOptions } from '../../../ci/config/index.ts'
import { type FindingChanges, findingChanges, lineReportsOf, type ReportOfPipeline } from '../../../ci/reports/lines/queries.ts'
import { compareTests, type TestComparison } from '../../../ci/reports/test_comparison.ts'
import { jobPath } from '../../jobs/scope.ts'
import { pipelinePath } from '../../pipelines/scope.ts'
import { encodePath } from '../../repository/addresses.ts'
import type { Caller } from '../page.ts'
import { comparedPipelines, type ReportingPipeline } from './compared_pipelines.ts'

/** Findings of each kind that are shown, and artifacts. */
const FEW = 20
const MOST_EXPOSED = 20

/** Artifacts that a job exposes by a name of its own. */
export interface ExposedArtifacts {
  readonly name: string
  readonly job: string
  readonly href: string
}

/** The findings of code quality that a change adds and takes away. */
export interface QualityReport extends FindingChanges {
  /** Has a report that was uploaded yet to be read? */
  readonly isUnread: boolean
  readonly errors: readonly string[]
}

export interface MergeRequestReports {
  /** Is there a pipeline of the target to compare with? */
  readonly isCompared: boolean
  /** The page of all tests of the pipeline. */
  readonly testPage: string
  readonly tests: TestComparison | undefined
  readonly quality: QualityReport | undefined
  readonly exposed: readonly ExposedArtifacts[]
}

/** Undefined where there is no pipeline, or the caller may not read it. */
export async function reportsOf(ctx: Caller): Promise<MergeRequestReports | undefined> {
  const compared = await comparedPipelines(ctx)
  if (!compared) return undefined
  const { head, base } = compared
  const [tests, quality, exposed] = await Promise.all([compareTests(ctx, compared), qualityOf(ctx, head, base), exposedOf(ctx, head)])
  return {
    isCompared: base !== undefined,
    testPage: pipelinePath(head.project, { id: head.pipelineId }, '/test_report'),
    tests,
    quality,
    exposed,
  }
}

async function qualityOf(ctx: Caller, head: ReportingPipeline, base: ReportingPipeline | undefined): Promise<QualityReport | undefined> {
  const ofHead = await codeQualityReports(ctx, head)
  if (ofHead.length === 0) return undefined
  const ofBase = base ? await codeQualityReports(ctx, base) : []
  return {
    ...(await findingChanges(ctx.db, idsOf(ofHead), idsOf(ofBase), FEW)),
    isUnread: [...ofHead, ...ofBase].some(({ is_read }) => !is_read),
    errors: ofHead.flatMap(({ error }) => error ?? []),
  }
}

const codeQualityReports = (ctx: Caller, { project, pipelineId }: ReportingPipeline) =>
  lineReportsOf(ctx, { project, pipelineIds: [pipelineId] }, ['codequality'])

const idsOf = (reports: readonly ReportOfPipeline[]): readonly number[] => reports.map(({ artifact_id }) => artifact_id)

async function exposedOf(ctx: Caller, { project, pipelineId }: ReportingPipeline): Promise<readonly ExposedArtifacts[]> {
  const rows = await exposedArchives(ctx.db, pipelineId, ctx.now, MOST_EXPOSED)
    .where(await artifactsReadableBy(ctx, project))
    .execute()
  return Promise.all(
    rows.map(async row => {
      const { expose_as: name = row.job_name, paths = [] } = (row.options as JobOptions).artifacts ?? {}
      const at = (rest: string) => jobPath(project, { id: row.job_id }, rest)
      const [path] = paths.map(exposed => exposed.replace(/^(\.\/)+/, ''))
      const isFile = path !== undefined && paths.length === 1 && (await hasFile(ctx, row, path))
      return { name, job: row.job_name, href: at(isFile ? `/artifacts/file/${encodePath(path)}` : '/artifacts/browse') }
    }),
  )
}

/** Has the archive a file at this path? Its directory is kept after the first look. */
async function hasFile({ deps }: Caller, archive: Parameters<typeof findEntry>[1], path: string): Promise<boolean> {
  try {
    const entry = await findEntry(deps.objects, archive, path)
    return entry !== undefined && isReadable(entry)
  } catch (error) {
    // What is no zip can be downloaded only.
    if (error instanceof UnfitZip) return false
    throw error
  }
}
