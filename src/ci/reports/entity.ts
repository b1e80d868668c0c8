/** Test reports as JSON (pipelines API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { Nullable, OneOf } from '../../platform/kernel/types.ts'
import type { JobReport, TestSuite } from './test_reports.ts'

const counts = {
  total_time: Type.Number({ description: 'In seconds' }),
  total_count: Type.Integer(),
  success_count: Type.Integer(),
  failed_count: Type.Integer(),
  skipped_count: Type.Integer(),
  error_count: Type.Integer(),
}

const text = Nullable(Type.String())

const Case = Type.Object({
  status: OneOf(['success', 'failed', 'skipped', 'error']),
  name: Type.String(),
  classname: text,
  file: text,
  execution_time: Type.Number({ description: 'In seconds' }),
  system_output: text,
  stack_trace: text,
})

const countsOf = ({ total_time, success_count, failed_count, skipped_count, error_count }: Omit<JobReport, 'cases' | 'suite_error'>) => ({
  // Sums of binary fractions have spurious digits.
  total_time: Math.round(total_time * 1e6) / 1e6,
  total_count: success_count + failed_count + skipped_count + error_count,
  success_count,
  failed_count,
  skipped_count,
  error_count,
})

const totalOf = (suites: readonly TestSuite[]) => {
  const sum = (key: 'total_time' | 'success_count' | 'failed_count' | 'skipped_count' | 'error_count') =>
    suites.reduce((total, suite) => total + suite[key], 0)
  return countsOf({
    total_time: sum('total_time'),
    success_count: sum('success_count'),
    failed_count: sum('failed_count'),
    skipped_count: sum('skipped_count'),
    error_count: sum('error_count'),
  })
}

export const TestReport = entity({
  name: 'TestReport',
  schema: Type.Object({
    ...counts,
    test_suites: Type.Array(Type.Object({ name: Type.String(), ...counts, suite_error: text, test_cases: Type.Array(Case) })),
  }),
  present: (suites: readonly TestSuite[]) => ({
    ...totalOf(suites),
    test_suites: suites.map(suite => ({
      name: suite.name,
      ...countsOf(suite),
      suite_error: suite.suite_error,
      test_cases: [...suite.cases],
    })),
  }),
})

export const TestReportSummary = entity({
  name: 'TestReportSummary',
  schema: Type.Object({
    total: Type.Object({
      time: Type.Number({ description: 'In seconds' }),
      count: Type.Integer(),
      success: Type.Integer(),
      failed: Type.Integer(),
      skipped: Type.Integer(),
      error: Type.Integer(),
      suite_error: text,
    }),
    test_suites: Type.Array(Type.Object({ name: Type.String(), ...counts, build_ids: Type.Array(Type.Integer()), suite_error: text })),
  }),
  present: (suites: readonly TestSuite[]) => {
    const { total_time, total_count, success_count, failed_count, skipped_count, error_count } = totalOf(suites)
    return {
      total: {
        time: total_time,
        count: total_count,
        success: success_count,
        failed: failed_count,
        skipped: skipped_count,
        error: error_count,
        suite_error: suites.find(suite => suite.suite_error !== null)?.suite_error ?? null,
      },
      test_suites: suites.map(suite => ({
        name: suite.name,
        ...countsOf(suite),
        build_ids: [...suite.job_ids],
        suite_error: suite.suite_error,
      })),
    }
  },
})
