/** Reads of limits. */

import type { Db } from '../../platform/db/connection.ts'
import { sizeLimits } from '../artifacts/size_limits.ts'

/** All limits, including those of artifacts by type. */
export async function planLimits(db: Db) {
  const row = await db.selectFrom('plan_limits').selectAll().where('plan_name', '=', 'default').executeTakeFirstOrThrow()
  return { ...row, artifactSizes: await sizeLimits(db) }
}

export type PlanLimitsRow = Awaited<ReturnType<typeof planLimits>>

/** The limits of the plan, locked until the transaction ends: what is counted against them cannot grow in the meantime. */
export const heldPlanLimits = (db: Db) =>
  db.selectFrom('plan_limits').selectAll().where('plan_name', '=', 'default').forUpdate().executeTakeFirstOrThrow()
