/** Limits as JSON (plan limits API). */
import Type from 'typebox'
import { entity } from '../kernel/answer/entity.ts'
import type { PlanLimitsRow } from './queries.ts'

export const PlanLimits = entity({
  name: 'PlanLimits',
  schema: Type.Object({ ci_instance_level_variables: Type.Integer({ minimum: 0 }) }),
  present: ({ ci_instance_level_variables }: PlanLimitsRow) => ({ ci_instance_level_variables }),
})
