/** Whether deployments are frozen now. */
import { nextRun } from '../../ci/cron/lines.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type FreezePeriodRow, freezePeriodsOf } from './queries.ts'

/** Is a period active at this instant? Includes its beginning, excludes its end. Pure. */
export function holds(period: Pick<FreezePeriodRow, 'freeze_start' | 'freeze_end' | 'cron_timezone'>, now: Date): boolean {
  const timezone = period.cron_timezone
  const start = nextRun({ line: period.freeze_start, timezone }, now)
  const end = nextRun({ line: period.freeze_end, timezone }, now)
  // Within the period the next end comes before the next beginning.
  return end !== undefined && start !== undefined && end < start
}

/**
 * Is the project in a freeze period? Its jobs then have `CI_DEPLOY_FREEZE`, with which their rules hold deployments back; there is no other
 * enforcement (freeze periods, 14.0).
 */
export async function isFrozen(db: Db, projectId: number, now: Date): Promise<boolean> {
  const periods = await freezePeriodsOf(db, projectId).execute()
  return periods.some(period => holds(period, now))
}
