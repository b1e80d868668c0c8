/** Writes of limits. */

import { changesExcept } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { changeSizeLimits, type LimitName, limitNames } from '../artifacts/size_limits.ts'
import { type PackageLimitName, packageLimitNames } from './entity.ts'
import { type PlanLimitsRow, planLimits } from './queries.ts'

/** Limits by name; those that are not given stay unchanged. */
type GivenLimits = Readonly<
  Partial<Record<'ci_instance_level_variables' | 'ci_jobs_trace_size_limit' | PackageLimitName | LimitName, number | undefined>>
>

/** The limits that are columns of the plan. */
const ofPlan = ['ci_instance_level_variables', 'ci_jobs_trace_size_limit', ...packageLimitNames] as const

/** Changes limits. Existing objects stay, whatever their number. */
export async function changePlanLimits(ctx: Context, given: GivenLimits): Promise<PlanLimitsRow> {
  const { db } = ctx
  const before = await planLimits(db)
  const changes = Object.fromEntries(ofPlan.flatMap(name => (given[name] === undefined ? [] : [[name, given[name]]])))
  const artifactSizes = Object.fromEntries(limitNames.map(name => [name, given[name]]))
  if (Object.keys(changes).length > 0) await db.updateTable('plan_limits').set(changes).where('plan_name', '=', 'default').execute()
  await changeSizeLimits(db, artifactSizes)
  const limits = { ...changesExcept(before, changes, []), ...changesExcept(before.artifactSizes, artifactSizes, []) }
  await recordEvent(ctx, { kind: 'plan_limits.updated', payload: { changes: limits } })
  return planLimits(db)
}
