/** Test reports of a pipeline (pipelines API at 14.0; the summary was added after it). */
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inPipeline } from '../pipelines/scope.ts'
import { TestReport, TestReportSummary } from './entity.ts'
import { testSuitesOf } from './test_reports.ts'

export const getTestReport = endpoint({
  route: 'GET /projects/:id/pipelines/:pipeline_id/test_report',
  summary: 'Get the test report of a pipeline, test by test',
  scope: inPipeline,
  can: 'read_job',
  answers: one(TestReport),
  run: ctx => testSuitesOf(ctx, ctx.project, ctx.pipeline.id),
})

export const getTestReportSummary = endpoint({
  route: 'GET /projects/:id/pipelines/:pipeline_id/test_report_summary',
  summary: 'Get the test report of a pipeline, summed up',
  scope: inPipeline,
  can: 'read_job',
  answers: one(TestReportSummary),
  run: ctx => testSuitesOf(ctx, ctx.project, ctx.pipeline.id, { cases: false }),
})
