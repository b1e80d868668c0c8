/** Limits as JSON (plan limits API). */
import Type from 'typebox'
import { entity } from '../kernel/answer/entity.ts'
import type { PlanLimitsRow } from './queries.ts'

export const PlanLimits = entity({
  name: 'PlanLimits',
  schema: Type.Object({
    ci_instance_level_variables: Type.Integer({ minimum: 0 }),
    // Newer than 14.0, in megabytes.
    ci_jobs_trace_size_limit: Type.Integer({ minimum: 0 }),
  }),
  present: ({ ci_instance_level_variables, ci_jobs_trace_size_limit }: PlanLimitsRow) => ({
    ci_instance_level_variables,
    ci_jobs_trace_size_limit,
  }),
})
