/** Writes of limits. */
import type { Context } from '../kernel/context.ts'
import { type PlanLimitsRow, planLimits } from './queries.ts'

/** Changes limits. What is there already stays, whatever its number. */
export async function changePlanLimits(
  { db }: Context,
  { ci_instance_level_variables }: { readonly ci_instance_level_variables?: number | undefined },
): Promise<PlanLimitsRow> {
  if (ci_instance_level_variables !== undefined)
    await db.updateTable('plan_limits').set({ ci_instance_level_variables }).where('plan_name', '=', 'default').execute()
  return planLimits(db)
}
