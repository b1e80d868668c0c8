/** Is it time to deploy? */
import { nextRun } from '../../ci/cron/lines.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type FreezePeriodRow, freezePeriodsOf } from './queries.ts'

/** Does a period hold at this instant? From the beginning on, and not at the end any more. Pure. */
export function holds(period: Pick<FreezePeriodRow, 'freeze_start' | 'freeze_end' | 'cron_timezone'>, now: Date): boolean {
  const timezone = period.cron_timezone
  const start = nextRun({ line: period.freeze_start, timezone }, now)
  const end = nextRun({ line: period.freeze_end, timezone }, now)
  // Within it the end comes before it begins anew.
  return end !== undefined && start !== undefined && end < start
}

/**
 * Is a freeze period of the project on? Its jobs then have `CI_DEPLOY_FREEZE`, by which their rules hold deployments back: nothing else
 * does (freeze periods, 14.0).
 */
export async function isFrozen(db: Db, projectId: number, now: Date): Promise<boolean> {
  const periods = await freezePeriodsOf(db, projectId).execute()
  return periods.some(period => holds(period, now))
}
