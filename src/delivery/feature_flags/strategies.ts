/** Strategies of feature flags: what parameters each takes (feature flags API at 14.0; the names are those of Unleash). Pure. */

import { parseJson } from '../../platform/bounded_json.ts'
import { type Failures, invalid, notFound } from '../../platform/kernel/errors.ts'
import type { FlagStrategy } from './queries.ts'
import { xidsFailure } from './user_lists/xids.ts'

/** What a strategy is called. */
export const strategyNames = ['default', 'gradualRolloutUserId', 'userWithId', 'gitlabUserList', 'flexibleRollout'] as const
export type StrategyName = (typeof strategyNames)[number]

/** What a share of users is counted by. */
export const stickinesses = ['default', 'userId', 'sessionId', 'random'] as const

type Check = (value: unknown) => string | undefined

const fits =
  (pattern: RegExp, says: string): Check =>
  value =>
    typeof value === 'string' && pattern.test(value) ? undefined : says
const share = (name: string): Check => fits(/^0*(\d{1,2}|100)$/, `${name} must be a string between 0 and 100 inclusive`)
const groupId = fits(/^[a-z]{1,32}$/, 'groupId parameter is invalid')

/** The parameters of each strategy: all of them are given, and no others. */
const parametersOf: Readonly<Record<StrategyName, Readonly<Record<string, Check>>>> = {
  default: {},
  gitlabUserList: {},
  gradualRolloutUserId: { groupId, percentage: share('percentage') },
  flexibleRollout: {
    groupId,
    rollout: share('rollout'),
    stickiness: value =>
      stickinesses.some(known => known === value) ? undefined : 'stickiness parameter must be default, userId, sessionId, or random',
  },
  userWithId: { userIds: value => xidsFailure(value, 'userIds') },
}

/** A scope as it is sent: a new one, or one that is changed or taken away. */
export interface ScopeInput {
  readonly id?: number | undefined
  readonly environment_scope?: string | undefined
  readonly _destroy?: boolean | undefined
}

/** A strategy as it is sent. */
export interface StrategyInput {
  readonly id?: number | undefined
  readonly name?: string | undefined
  readonly parameters?: unknown
  readonly user_list_id?: number | undefined
  readonly scopes?: readonly ScopeInput[] | undefined
  readonly _destroy?: boolean | undefined
}

/** A strategy as it shall be; without an id it is new. */
export interface PlannedStrategy {
  readonly id: number | undefined
  readonly name: StrategyName
  readonly parameters: Readonly<Record<string, string>>
  readonly user_list_id: number | null
  readonly scopes: readonly { readonly id: number | undefined; readonly environment_scope: string }[]
}

/** Strategies of a flag, and scopes of a strategy: each request to the Unleash endpoints reads all of them. */
const MOST = 50

/** The parameters of a strategy as an object: a form sends them as JSON. */
function parametersIn(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return parseJson(given)
  } catch {
    return undefined
  }
}

function strategyFailures({ name, parameters, user_list_id, scopes }: PlannedStrategy): Failures {
  const checks = parametersOf[name]
  if (checks === undefined) return { 'strategies.name': ['strategy name is invalid'] }
  const isObject = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters)
  const areKnown = isObject && Object.keys(parameters).sort().join() === Object.keys(checks).sort().join()
  const wrong = areKnown
    ? Object.entries(checks).flatMap(([key, check]) => check((parameters as Record<string, unknown>)[key]) ?? [])
    : ['parameters are invalid']
  const names = scopes.map(scope => scope.environment_scope)
  const twice = names.find((scope, index) => names.indexOf(scope) !== index)
  return {
    ...(wrong.length > 0 && { 'strategies.parameters': wrong }),
    ...(name === 'gitlabUserList' && user_list_id === null && { 'strategies.user_list': ["can't be blank"] }),
    ...(name !== 'gitlabUserList' && user_list_id !== null && { 'strategies.user_list': ['must be blank'] }),
    ...(twice !== undefined && { 'strategies.scopes.environment_scope': [`(${twice}) has already been taken`] }),
    ...(names.length > MOST && { 'strategies.scopes': [`are too many (maximum is ${MOST})`] }),
  }
}

function plannedScopes(present: FlagStrategy['scopes'], given: readonly ScopeInput[] = []): PlannedStrategy['scopes'] {
  const changed = new Map(given.flatMap(scope => (scope.id === undefined ? [] : [[scope.id, scope] as const])))
  for (const id of changed.keys()) if (!present.some(scope => scope.id === id)) throw notFound()
  const kept = present.filter(({ id }) => changed.get(id)?._destroy !== true)
  const added = given.filter(({ id, _destroy }) => id === undefined && _destroy !== true)
  return [
    ...kept.map(({ id, environment_scope }) => ({ id, environment_scope: changed.get(id)?.environment_scope ?? environment_scope })),
    ...added.map(({ environment_scope }) => ({ id: undefined, environment_scope: environment_scope ?? '*' })),
  ]
}

function planned(present: FlagStrategy | undefined, given: StrategyInput): PlannedStrategy {
  const name = (given.name ?? present?.name) as StrategyName
  // A strategy that becomes another one leaves its list behind.
  const kept = name === present?.name ? (present.user_list?.id ?? null) : null
  return {
    id: present?.id,
    name,
    parameters: (given.parameters === undefined ? (present?.parameters ?? {}) : parametersIn(given.parameters)) as never,
    user_list_id: given.user_list_id ?? kept,
    scopes: plannedScopes(present?.scopes ?? [], given.scopes),
  }
}

/**
 * The strategies of a flag after a change, in their order: those with an id are changed or taken away, those without are new, and those that
 * are not named stay. 400 for what is invalid, 404 for an id that is none of the flag's.
 */
export function plannedStrategies(present: readonly FlagStrategy[], given: readonly StrategyInput[] = []): PlannedStrategy[] {
  const changed = new Map(given.flatMap(strategy => (strategy.id === undefined ? [] : [[strategy.id, strategy] as const])))
  for (const id of changed.keys()) if (!present.some(strategy => strategy.id === id)) throw notFound()
  const kept = present.filter(({ id }) => changed.get(id)?._destroy !== true)
  const added = given.filter(({ id, _destroy }) => id === undefined && _destroy !== true)
  if (added.some(({ name }) => name === undefined)) throw invalid({ 'strategies.name': ['strategy name is invalid'] })
  const left = [...kept.map(strategy => planned(strategy, changed.get(strategy.id) ?? {})), ...added.map(one => planned(undefined, one))]
  const failures = Object.assign({}, ...left.map(strategyFailures)) as Failures
  if (left.length > MOST) failures.strategies = [`are too many (maximum is ${MOST})`]
  if (Object.keys(failures).length > 0) throw invalid(failures)
  return left
}

/** The strategies of a flag as words, for the audit log. */
export const inWords = (strategies: readonly Pick<PlannedStrategy, 'name' | 'parameters' | 'scopes'>[]): string =>
  strategies
    .map(({ name, parameters, scopes }) => {
      const given = Object.entries(parameters).map(([key, value]) => `${key} ${value}`)
      const where = scopes.map(({ environment_scope }) => environment_scope)
      return [name, given.length > 0 && `(${given.join(', ')})`, where.length > 0 && `in ${where.join(', ')}`].filter(Boolean).join(' ')
    })
    .join('; ')
