/** The expiration policy of container images (document 3 `container_expiration_policy`). Pure. */

import { changesBetween } from '../../../platform/events/audit/changes.ts'
import type { ChangeSet } from '../../../platform/events/audit/kinds.ts'
import type { ParamsOf } from '../../../platform/kernel/declaration/types.ts'
import { type Failures, invalid } from '../../../platform/kernel/errors.ts'
import { compiledPattern } from '../../../platform/patterns/patterns.ts'
import type { projectAttributes } from './params.ts'

/** The policy as it is stored. */
export interface ExpirationPolicy {
  readonly cadence: '1d' | '7d' | '14d' | '1month' | '3month'
  readonly enabled: boolean
  readonly keep_n: number | null
  readonly older_than: string | null
  readonly name_regex: string | null
  readonly name_regex_keep: string | null
  /** The first run since the policy was enabled or its cadence changed; null while it is disabled. */
  readonly next_run_at: string | null
}

/** The policy parameters of requests. */
type Given = NonNullable<
  ParamsOf<Pick<typeof projectAttributes, 'container_expiration_policy_attributes'>>['container_expiration_policy_attributes']
>

/** The policy of a new project. */
export const defaultPolicy: ExpirationPolicy = {
  cadence: '1d',
  enabled: false,
  keep_n: 10,
  older_than: '90d',
  name_regex: '.*',
  name_regex_keep: null,
  next_run_at: null,
}

/** A partial policy keeps the omitted keys; `name_regex_delete` is another name of `name_regex` (decision 46). */
export function mergedPolicy(current: ExpirationPolicy, given: Given, now: Date): ExpirationPolicy {
  const { name_regex_delete, ...rest } = given
  const merged = { ...current, ...(name_regex_delete === undefined ? {} : { name_regex: name_regex_delete }), ...rest } as ExpirationPolicy
  if (!merged.enabled) return { ...merged, next_run_at: null }
  const goesOn = current.enabled && current.cadence === merged.cadence && current.next_run_at !== null
  return goesOn ? merged : { ...merged, next_run_at: later(now, merged.cadence, 1).toISOString() }
}

/** The patterns of a policy that is on and that are none; those of one that is off may be anything. */
export const unfitPatterns = (policy: ExpirationPolicy) =>
  (['name_regex', 'name_regex_keep'] as const).filter(name => policy.enabled && policy[name] && !compiledPattern(policy[name]))

/**
 * The policy as it is stored after a change.
 * @throws Refusal 400 for a pattern that is none
 */
export function checkedPolicy(current: ExpirationPolicy, given: Given, now: Date): ExpirationPolicy {
  const policy = mergedPolicy(current, given, now)
  const failures: Failures = {}
  for (const name of unfitPatterns(policy)) failures[`container_expiration_policy.${name}`] = ['is not valid RE2 syntax']
  if (Object.keys(failures).length > 0) throw invalid(failures)
  return policy
}

/** The next run of the policy after `now`; null while it is disabled. */
export function nextRunOf({ enabled, cadence, next_run_at }: ExpirationPolicy, now: Date): string | null {
  if (!enabled || next_run_at === null) return null
  const first = new Date(next_run_at)
  if (first > now) return first.toISOString()
  // A lower bound of the number of runs: the shortest cadence is a day, and a month has at least 28.
  const days = cadence.endsWith('month') ? 28 * months(cadence) : Number.parseInt(cadence, 10)
  let passed = Math.max(0, Math.floor((now.getTime() - first.getTime()) / (31 / 28) / (days * DAY)))
  while (later(first, cadence, passed) <= now) passed++
  return later(first, cadence, passed).toISOString()
}

const DAY = 24 * 60 * 60 * 1000
const months = (cadence: string): number => (cadence === '3month' ? 3 : 1)

/** The instant `times` cadences later. */
function later(from: Date, cadence: ExpirationPolicy['cadence'], times: number): Date {
  const date = new Date(from)
  if (cadence.endsWith('month')) date.setUTCMonth(date.getUTCMonth() + times * months(cadence))
  else date.setUTCDate(date.getUTCDate() + times * Number.parseInt(cadence, 10))
  return date
}

/** What a change of the policy changes, each key by itself; when it runs next follows from the others. */
export function policyChanges(before: ExpirationPolicy, after: ExpirationPolicy): ChangeSet {
  const kept = Object.keys(defaultPolicy).filter(key => key !== 'next_run_at')
  const changes = changesBetween(before, after, kept)
  return Object.fromEntries(Object.entries(changes).map(([key, change]) => [`container_expiration_policy_${key}`, change]))
}
