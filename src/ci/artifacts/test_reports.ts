/** Parsed test reports, stored next to the artifacts that they come from. */
import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { TestReports } from '../../platform/db/schema.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

/** Stores the parsed report of an artifact; does nothing if the artifact was deleted or the report is stored already. */
export const keepTestReport = (db: Db, artifactId: number, report: Omit<Insertable<TestReports>, 'job_id' | 'created_at'>, now: Date) =>
  db
    .insertInto('test_reports')
    .columns([
      'job_id',
      'success_count',
      'failed_count',
      'skipped_count',
      'error_count',
      'total_time',
      'suite_error',
      'cases',
      'created_at',
    ])
    .expression(eb =>
      eb
        .selectFrom('job_artifacts')
        .where('job_artifacts.id', '=', artifactId)
        .select(({ val }) => [
          'job_artifacts.job_id',
          val(report.success_count).as('success_count'),
          val(report.failed_count).as('failed_count'),
          val(report.skipped_count).as('skipped_count'),
          val(report.error_count).as('error_count'),
          val(report.total_time).as('total_time'),
          val(report.suite_error).as('suite_error'),
          val(report.cases).as('cases'),
          val(now).as('created_at'),
        ]),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()

/** Deletes the parsed reports of these jobs. */
export const removeTestReports = (db: Db, jobIds: readonly number[]) =>
  db.deleteFrom('test_reports').where('job_id', '=', anyOf(jobIds)).execute()
