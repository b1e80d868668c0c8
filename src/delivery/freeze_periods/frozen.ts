/** Whether deployments are frozen now. */
import { nextRun } from '../../ci/cron/lines.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type FreezePeriodRow, freezePeriodsOf } from './queries.ts'

type Timed = Pick<FreezePeriodRow, 'freeze_start' | 'freeze_end' | 'cron_timezone'>

/** Where a period stands. */
export interface Phase {
  readonly isFrozen: boolean
  /** When it ends, or else begins; undefined for never. */
  readonly until: Date | undefined
}

/** Where a period stands at this instant. It includes its beginning and excludes its end. Pure. */
export function phaseOf({ freeze_start, freeze_end, cron_timezone: timezone }: Timed, now: Date): Phase {
  const start = nextRun({ line: freeze_start, timezone }, now)
  const end = nextRun({ line: freeze_end, timezone }, now)
  // Within the period the next end comes before the next beginning.
  const isFrozen = end !== undefined && start !== undefined && end < start
  return { isFrozen, until: isFrozen ? end : start }
}

/** The period that holds now, with its end, of several the one that ends last; undefined where none does. */
export async function freezeOf(
  db: Db,
  projectId: number,
  now: Date,
): Promise<{ readonly period: FreezePeriodRow; readonly until: Date } | undefined> {
  const periods = await freezePeriodsOf(db, projectId).execute()
  const held = periods.flatMap(period => {
    const { isFrozen, until } = phaseOf(period, now)
    return isFrozen && until ? [{ period, until }] : []
  })
  return held.toSorted((one, other) => other.until.getTime() - one.until.getTime())[0]
}

/**
 * Is the project in a freeze period? Its jobs then have `CI_DEPLOY_FREEZE`, with which their rules hold deployments back; there is no other
 * enforcement (freeze periods, 14.0).
 */
export async function isFrozen(db: Db, projectId: number, now: Date): Promise<boolean> {
  return (await freezeOf(db, projectId, now)) !== undefined
}
