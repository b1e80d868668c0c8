/** Test reports as JSON (pipelines API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { described, integer, Nullable, number, OneOf, text } from '../../platform/kernel/declaration/types.ts'
import type { JobReport, TestSuite } from './test_reports.ts'

const counts = {
  total_time: number('In seconds'),
  total_count: integer('Number of tests'),
  success_count: integer('Number of passed tests'),
  failed_count: integer('Number of failed tests'),
  skipped_count: integer('Number of skipped tests'),
  error_count: integer('Number of tests with errors'),
}

const nullableText = Nullable(Type.String())

const Case = Type.Object({
  status: OneOf(['success', 'failed', 'skipped', 'error'], { description: 'Result of the test' }),
  name: text('Name'),
  classname: described('Class of the test; null where the report names none', nullableText),
  file: described('File of the test; null where the report names none', nullableText),
  execution_time: number('In seconds'),
  system_output: described('What the test printed; null where the report has none', nullableText),
  stack_trace: described('Stack trace; null where the report has none', nullableText),
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
    test_suites: described(
      'Suites of tests',
      Type.Array(
        Type.Object({
          name: text('Name'),
          ...counts,
          suite_error: described('Why the report could not be read; null where it could', nullableText),
          test_cases: described('Tests', Type.Array(Case)),
        }),
      ),
    ),
  }),
  present: (suites: readonly TestSuite[]) => ({
    ...totalOf(suites),
    test_suites: suites.map(suite => ({
      name: suite.name,
      ...countsOf(suite),
      suite_error: suite.suite_error,
      test_cases: suite.cases.map(({ message: _message, ...shown }) => shown),
    })),
  }),
})

export const TestReportSummary = entity({
  name: 'TestReportSummary',
  schema: Type.Object({
    total: described(
      'Numbers of all suites',
      Type.Object({
        time: number('In seconds'),
        count: integer('Number of tests'),
        success: integer('Number of passed tests'),
        failed: integer('Number of failed tests'),
        skipped: integer('Number of skipped tests'),
        error: integer('Number of tests with errors'),
        suite_error: described('Why the report could not be read; null where it could', nullableText),
      }),
    ),
    test_suites: described(
      'Suites of tests',
      Type.Array(
        Type.Object({
          name: text('Name'),
          ...counts,
          build_ids: described('IDs of the jobs that reported the suite', Type.Array(Type.Integer())),
          suite_error: described('Why the report could not be read; null where it could', nullableText),
        }),
      ),
    ),
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
