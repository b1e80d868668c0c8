/** Limits as JSON (plan limits API). */
import Type, { type TInteger } from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { type LimitName, limitNames } from '../artifacts/size_limits.ts'
import type { PlanLimitsRow } from './queries.ts'

const artifactSizes = Object.fromEntries(
  limitNames.map(name => [name, integer('Largest artifact of this type, in megabytes; 0: no limit', { minimum: 0 })]),
) as Record<LimitName, TInteger>

export const PlanLimits = entity({
  name: 'PlanLimits',
  schema: Type.Object({
    ci_instance_level_variables: integer('Most instance variables', { minimum: 0 }),
    // Newer than 14.0, in megabytes.
    ci_jobs_trace_size_limit: integer('Largest log of a job, in megabytes', { minimum: 0 }),
    // Absent from the public API; in megabytes.
    ...artifactSizes,
  }),
  present: ({ ci_instance_level_variables, ci_jobs_trace_size_limit, artifactSizes }: PlanLimitsRow) => ({
    ci_instance_level_variables,
    ci_jobs_trace_size_limit,
    ...artifactSizes,
  }),
})
