/** Reads of limits. */
import type { Db } from '../db/connection.ts'

export const planLimits = (db: Db) => db.selectFrom('plan_limits').selectAll().where('plan_name', '=', 'default').executeTakeFirstOrThrow()

export type PlanLimitsRow = Awaited<ReturnType<typeof planLimits>>

/** The limits, held until the transaction ends: what is counted against them does not grow in the meantime. */
export const heldPlanLimits = (db: Db) =>
  db.selectFrom('plan_limits').selectAll().where('plan_name', '=', 'default').forUpdate().executeTakeFirstOrThrow()
