/** Where a job deploys, what a bridge starts, and how a job may fail. */
import { parseDuration } from '../durations.ts'
import { limits } from '../limits.ts'
import type { EnvironmentOption, JobOptions, TriggerInclude, TriggerOption } from '../plan.ts'
import { isList, isMap, type YamlValue } from '../reading/values.ts'
import type { Matrix } from './config.ts'
import {
  anyText,
  at,
  fields,
  flag,
  oneOf,
  oneOrMore,
  optional,
  orList,
  type Place,
  type Read,
  type Shape,
  shaped,
  text,
  texts,
} from './place.ts'

/** The keys of a map that a reader of several kinds of values takes. */
const shapeOfKeys = ({ shape }: Read<unknown>): Pick<Shape, 'keys'> => (shape?.keys ? { keys: shape.keys } : {})

const environmentName: Read<string> = shaped({ ...anyText.shape, types: ['string', 'number'], maxLength: limits.name }, (value, place) => {
  const name = anyText(value, place)
  if (name === undefined) return undefined
  if (name === '' || name.length > limits.name) return place.refuse(`config should have 1 to ${limits.name} characters`)
  const plain = name.replaceAll(/\$\{?\w+\}?/g, '')
  return /^[\w\s/.${}-]*$/.test(plain)
    ? name
    : place.refuse('config can contain only letters, digits, spaces, variables, `-`, `_`, `/`, `.`')
})

const autoStop: Read<string> = shaped({ types: ['string', 'number'] }, (value, place) => {
  const words = typeof value === 'number' ? String(value) : value
  const isWords = typeof words === 'string' && (words.includes('$') || parseDuration(words) !== undefined)
  return isWords ? words : place.refuse('config should be a duration')
})

const environmentFields = fields(
  {
    name: environmentName,
    url: text,
    action: oneOf(['start', 'prepare', 'stop', 'verify', 'access'] as const),
    on_stop: anyText,
    auto_stop_in: autoStop,
    deployment_tier: oneOf(['production', 'staging', 'testing', 'development', 'other'] as const),
    kubernetes: fields({ namespace: anyText }),
  },
  ['name'],
)

export const environment: Read<EnvironmentOption> = shaped(
  { types: ['string', 'number', 'object'], maxLength: limits.name, ...shapeOfKeys(environmentFields) },
  (value, place) => {
    if (!isMap(value)) {
      const name = environmentName(value, place)
      return name === undefined ? undefined : { name }
    }
    const found = environmentFields(value, place) ?? {}
    return typeof found.name === 'string' ? { ...found, name: found.name } : undefined
  },
)

const includeKinds: Readonly<Record<string, Read<TriggerInclude>>> = {
  local: (value, place) => fields({ local: text })(value, place) as TriggerInclude | undefined,
  artifact: (value, place) => fields({ artifact: text, job: anyText }, ['job'])(value, place) as TriggerInclude | undefined,
  project: (value, place) => fields({ project: text, file: text, ref: anyText }, ['file'])(value, place) as TriggerInclude | undefined,
  remote: (value, place) => fields({ remote: text })(value, place) as TriggerInclude | undefined,
  template: (value, place) => fields({ template: text })(value, place) as TriggerInclude | undefined,
}

const oneInclude: Read<TriggerInclude> = (value, place) => {
  if (typeof value === 'string') return /^https?:\/\//.test(value) ? { remote: value } : { local: value }
  if (!isMap(value)) return place.refuse('config should be a text or a hash')
  const kind = ['artifact', 'project', 'local', 'remote', 'template'].find(key => value.has(key))
  return kind === undefined
    ? place.refuse('config should have one of: local, project, artifact, remote, template')
    : includeKinds[kind]?.(value, place)
}

/** At most three, as public behaviour has it. */
const includes: Read<readonly TriggerInclude[]> = shaped(
  orList({ types: ['string', 'object'] }, { minItems: 1, maxItems: 3 }),
  (value, place) => {
    const list = isList(value) ? value : [value]
    if (list.length === 0 || list.length > 3) return place.refuse('config should have one to three files')
    return list.flatMap((item, index) => oneInclude(item, isList(value) ? place.below(`[${index}]`) : place) ?? [])
  },
)

const triggerFields = fields({
  project: anyText,
  branch: anyText,
  include: includes,
  strategy: oneOf(['depend'] as const),
  forward: fields({ yaml_variables: flag, pipeline_variables: flag }),
})

export const trigger: Read<TriggerOption> = shaped({ types: ['string', 'object'], ...shapeOfKeys(triggerFields) }, (value, place) => {
  if (typeof value === 'string') return value === '' ? place.refuse("config can't be blank") : { project: value }
  const found = triggerFields(value, place)
  if (!found) return undefined
  if ((found.project === undefined) === (found.include === undefined))
    return place.refuse('config should have either a project or an include')
  if (found.branch !== undefined && found.project === undefined) return place.refuse('branch should be given with a project only')
  return found
})

/** Failures after which a job may be run again. */
export const failures = [
  'always',
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'runner_unsupported',
  'stale_schedule',
  'job_execution_timeout',
  'archived_failure',
  'unmet_prerequisites',
  'scheduler_failure',
  'data_integrity_failure',
  'missing_dependency_failure',
  'forward_deployment_failure',
]

const times: Read<number> = shaped({ types: ['integer'], minimum: 0, maximum: 2 }, (value, place) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 2
    ? (value as number)
    : place.refuse('config should be 0, 1 or 2'),
)

const retryReasons: Read<readonly string[]> = shaped({ types: ['string', 'array'], items: { types: ['string'] } }, (value, place) => {
  const found = oneOrMore(value, place)
  const unknown = found?.filter(reason => !failures.includes(reason)) ?? []
  return unknown.length > 0 ? place.refuse(`config contains unknown values: ${unknown.join(', ')}`) : found
})

const retryFields = fields({ max: times, when: retryReasons })

export const retry: Read<NonNullable<JobOptions['retry']>> = shaped(
  { types: ['integer', 'object'], minimum: 0, maximum: 2, ...shapeOfKeys(retryFields) },
  (value, place) => {
    const found = isMap(value) ? retryFields(value, place) : { max: times(value, place) }
    return found && { max: found.max ?? 0, when: ('when' in found && found.when) || ['always'] }
  },
)

const exitCodes: Read<readonly number[]> = shaped(orList({ types: ['integer'] }, { minItems: 1 }), (value, place) => {
  const list = isList(value) ? value : [value]
  const isCode = (code: YamlValue): code is number => Number.isInteger(code)
  return list.length > 0 && list.every(isCode) ? list : place.refuse('config should be an exit code, or an array of them')
})

/** `allow_failure`: a flag, or exit codes. */
export const allowFailure: Read<{ readonly always?: boolean; readonly exit_codes?: readonly number[] }> = shaped(
  { types: ['boolean', 'object'], keys: { exit_codes: exitCodes.shape } },
  (value, place) => {
    if (typeof value === 'boolean') return { always: value }
    if (!isMap(value)) return place.refuse('config should be a hash or a boolean value')
    place.knows(value, new Set(['exit_codes']))
    return optional('exit_codes', at(value, 'exit_codes', place, exitCodes))
  },
)

/** Timeout of a job, in seconds. */
export const timeout: Read<number> = shaped({ types: ['string', 'number'] }, (value, place) => {
  const seconds = typeof value === 'string' || typeof value === 'number' ? parseDuration(String(value)) : undefined
  if (seconds === undefined || seconds <= 0) return place.refuse('config should be a duration')
  return seconds > limits.timeout ? place.refuse('config should not exceed the limit of one month') : seconds
})

const matrix: Read<Matrix> = shaped({ types: ['array'], minItems: 1, items: { types: ['object'] } }, (value, place) => {
  if (!isList(value) || value.length === 0) return place.refuse('config should be an array of hashes')
  const rows = value.map((row, index) => matrixRow(row, place.below(`[${index}]`))).filter(row => row !== undefined)
  const count = rows.reduce((sum, row) => sum + Object.values(row).reduce((product, values) => product * values.length, 1), 0)
  return count > limits.parallel ? place.refuse(`config generates too many jobs (maximum is ${limits.parallel})`) : rows
})

/** `parallel: 5`, or a matrix of variables. */
export const parallel: Read<number | Matrix> = shaped(
  { types: ['integer', 'object'], minimum: 2, maximum: limits.parallel, keys: { matrix: matrix.shape } },
  (value, place) => {
    const isCount = Number.isInteger(value)
    if (isCount && (value as number) >= 2 && (value as number) <= limits.parallel) return value as number
    if (!isMap(value)) return place.refuse(`config should be a number from 2 to ${limits.parallel}, or a matrix`)
    place.knows(value, new Set(['matrix']))
    return value.has('matrix') ? at(value, 'matrix', place, matrix) : place.refuse('config should have a matrix')
  },
)

function matrixRow(row: YamlValue, place: Place): Matrix[number] | undefined {
  if (!isMap(row) || row.size === 0) return place.refuse('config should be a hash of variables')
  return Object.fromEntries(
    [...row].map(([key, given]): [string, readonly string[]] => {
      const values = typeof given === 'string' || typeof given === 'number' ? [String(given)] : texts(given, place.below(key))
      if (values?.length === 0) place.below(key).refuse('config should have values')
      return [key, values ?? []]
    }),
  )
}

/** Which keys are inherited; the form is common to `default` and `variables`. */
export const inherited: Read<boolean | readonly string[]> = shaped(
  { types: ['boolean', 'array'], items: { types: ['string', 'number'] } },
  (value, place) =>
    typeof value === 'boolean' ? value : isList(value) ? texts(value, place) : place.refuse('config should be a bool or array of strings'),
)

/** `inherit`. */
export const inherit = fields({ default: inherited, variables: inherited })
