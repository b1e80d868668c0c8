/** Writes of limits. */

import { changesExcept } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { changeSizeLimits, type LimitName } from '../artifacts/size_limits.ts'
import { type PlanLimitsRow, planLimits } from './queries.ts'

/** Limits by name; those that are not given stay unchanged. */
type GivenLimits = Readonly<Partial<Record<'ci_instance_level_variables' | 'ci_jobs_trace_size_limit' | LimitName, number | undefined>>>

/** Changes limits. Existing objects stay, whatever their number. */
export async function changePlanLimits(
  ctx: Context,
  { ci_instance_level_variables, ci_jobs_trace_size_limit, ...artifactSizes }: GivenLimits,
): Promise<PlanLimitsRow> {
  const { db } = ctx
  const before = await planLimits(db)
  const changes = {
    ...(ci_instance_level_variables !== undefined && { ci_instance_level_variables }),
    ...(ci_jobs_trace_size_limit !== undefined && { ci_jobs_trace_size_limit }),
  }
  if (Object.keys(changes).length > 0) await db.updateTable('plan_limits').set(changes).where('plan_name', '=', 'default').execute()
  await changeSizeLimits(db, artifactSizes)
  const limits = { ...changesExcept(before, changes, []), ...changesExcept(before.artifactSizes, artifactSizes, []) }
  await recordEvent(ctx, { kind: 'plan_limits.updated', payload: { changes: limits } })
  return planLimits(db)
}
