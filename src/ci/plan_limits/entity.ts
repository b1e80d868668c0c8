/** Limits as JSON (plan limits API). */
import Type, { type TInteger } from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { type LimitName, limitNames } from '../artifacts/size_limits.ts'
import type { PlanLimitsRow } from './queries.ts'

/** The limits of files of packages, in bytes. */
export const packageLimitNames = [
  'conan_max_file_size',
  'generic_packages_max_file_size',
  'maven_max_file_size',
  'npm_max_file_size',
  'nuget_max_file_size',
  'pypi_max_file_size',
] as const
export type PackageLimitName = (typeof packageLimitNames)[number]

const packageSizes = Object.fromEntries(
  packageLimitNames.map(name => [name, integer('Largest file of such a package, in bytes; 0: no limit', { minimum: 0 })]),
) as Record<PackageLimitName, TInteger>

const artifactSizes = Object.fromEntries(
  limitNames.map(name => [name, integer('Largest artifact of this type, in megabytes; 0: no limit', { minimum: 0 })]),
) as Record<LimitName, TInteger>

export const PlanLimits = entity({
  name: 'PlanLimits',
  schema: Type.Object({
    ci_instance_level_variables: integer('Most instance variables', { minimum: 0 }),
    // Newer than 14.0, in megabytes.
    ci_jobs_trace_size_limit: integer('Largest log of a job, in megabytes', { minimum: 0 }),
    ...packageSizes,
    // Absent from the public API; in megabytes.
    ...artifactSizes,
  }),
  present: ({ plan_name: _, artifactSizes, ...limits }: PlanLimitsRow) => ({
    ...limits,
    ...artifactSizes,
  }),
})
