/** Limits of the instance (plan limits API), as far as Ingot enforces them. */
import type { TInteger, TOptional } from 'typebox'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { described, integer, OneOf, optional } from '../../platform/kernel/declaration/types.ts'
import { type LimitName, limitNames } from '../artifacts/size_limits.ts'
import * as commands from './commands.ts'
import { type PackageLimitName, PlanLimits, packageLimitNames } from './entity.ts'
import { planLimits } from './queries.ts'

const artifactSizes = Object.fromEntries(
  limitNames.map(name => [
    name,
    optional(integer('Megabytes that an artifact of this type may have; 0 for any number', { minimum: 0, maximum: 1_000_000 })),
  ]),
) as Record<LimitName, TOptional<TInteger>>

const packageSizes = Object.fromEntries(
  packageLimitNames.map(name => [
    name,
    optional(integer('Bytes that a file of such a package may have; 0 for any number', { minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  ]),
) as Record<PackageLimitName, TOptional<TInteger>>

const plan = { description: 'There is one plan for all', examples: ['default'] }

export const getPlanLimits = endpoint({
  route: 'GET /application/plan_limits',
  summary: 'Get the limits of the instance',
  scope: inInstance,
  can: 'admin_instance',
  params: { plan_name: OneOf(['default'], { ...plan, default: 'default' }) },
  answers: one(PlanLimits),
  run: ({ db }) => planLimits(db),
})

export const changePlanLimits = endpoint({
  route: 'PUT /application/plan_limits',
  summary: 'Change limits of the instance',
  scope: inInstance,
  can: 'admin_instance',
  params: {
    plan_name: described('Name of the plan', OneOf(['default'], plan)),
    ci_instance_level_variables: optional(
      integer('Variables of the instance that there may be; 0 for any number', { minimum: 0, maximum: 2_147_483_647 }),
    ),
    ci_jobs_trace_size_limit: optional(
      integer('Megabytes that the log of a job may have; 0 for any number', { minimum: 0, maximum: 1_000_000 }),
    ),
    ...packageSizes,
    ...artifactSizes,
  },
  answers: one(PlanLimits),
  run: ctx => commands.changePlanLimits(ctx, ctx.params),
})
