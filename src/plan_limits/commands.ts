/** Writes of limits. */
import type { Context } from '../kernel/context.ts'
import { type PlanLimitsRow, planLimits } from './queries.ts'

/** Changes limits. What is there already stays, whatever its number. */
export async function changePlanLimits(
  { db }: Context,
  { ci_instance_level_variables, ci_jobs_trace_size_limit }: Partial<Record<keyof Omit<PlanLimitsRow, 'plan_name'>, number | undefined>>,
): Promise<PlanLimitsRow> {
  const changes = {
    ...(ci_instance_level_variables !== undefined && { ci_instance_level_variables }),
    ...(ci_jobs_trace_size_limit !== undefined && { ci_jobs_trace_size_limit }),
  }
  if (Object.keys(changes).length > 0) await db.updateTable('plan_limits').set(changes).where('plan_name', '=', 'default').execute()
  return planLimits(db)
}
