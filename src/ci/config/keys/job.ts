/** One job of a CI file: checks its keys and applies defaults. */
import { limits } from '../limits.ts'
import type { JobOptions } from '../plan.ts'
import { isMap, type YamlMap, type YamlValue } from '../reading/values.ts'
import { isPattern, looksLikePattern } from '../rules/patterns.ts'
import { policy, rules, startIn, whenOfJob } from './conditions.ts'
import type { JobConfig } from './config.ts'
import { image, script, services, variables } from './execution.ts'
import { idTokens } from './id_tokens.ts'
import { needs } from './needs.ts'
import { artifacts, assertNoSecrets, caches, release } from './outputs.ts'
import { anyText, at, flag, meantBy, ofLaterLevel, optional, type Place, type Read, shaped, texts } from './place.ts'
import { allowFailure, environment, inherit, parallel, retry, timeout, trigger } from './target.ts'

/** The keys that `default` may set for all jobs. */
export const defaultKeys = [
  'before_script',
  'image',
  'services',
  'after_script',
  'cache',
  'interruptible',
  'timeout',
  'retry',
  'tags',
  'artifacts',
  'id_tokens',
] as const

const commonKeys = [
  'stage',
  'extends',
  'rules',
  'only',
  'except',
  'when',
  'start_in',
  'allow_failure',
  'needs',
  'variables',
  'inherit',
  'parallel',
  'resource_group',
  'interruptible',
  'description',
]

/** Keys that are accepted and have no effect. */
const laterKeys = ['description', 'publish', 'dast_configuration'] as const

const jobKeys = new Set([
  ...commonKeys,
  ...defaultKeys,
  'type',
  'script',
  'dependencies',
  'environment',
  'coverage',
  'release',
  'secrets',
  'pages',
  'publish',
  'dast_configuration',
])

const bridgeKeys = new Set([...commonKeys, 'trigger', 'type'])

/** A regular expression between slashes, stored without them. */
const coverage: Read<string> = shaped({ types: ['string'] }, (value, place) => {
  if (typeof value !== 'string' || !looksLikePattern(value) || !isPattern(value))
    return place.refuse('config should be a regular expression between slashes')
  const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(value) ?? []
  return flags === '' ? source : `(?${flags})${source}`
})

/** How the keys of a job are read; the schema of editors says what they take. */
export const jobReaders = {
  stage: anyText,
  type: anyText,
  script,
  before_script: script,
  after_script: script,
  image,
  services,
  artifacts,
  cache: caches,
  retry,
  coverage,
  release,
  when: whenOfJob,
  rules,
  start_in: startIn,
  allow_failure: allowFailure,
  needs: needs(false),
  dependencies: texts,
  only: policy,
  except: policy,
  parallel,
  tags: texts,
  interruptible: flag,
  resource_group: anyText,
  timeout,
  variables,
  environment,
  trigger,
  inherit,
  id_tokens: idTokens,
} as const

/** The keys of jobs that are meant by misspelled ones. */
export const meantByJob = (written: YamlMap): ReadonlyMap<string, string> =>
  meantBy(written.keys(), new Set([...jobKeys, ...bridgeKeys]), written)

/** Is the map a job: does it say what to run or which pipeline to start? */
export const isJob = (value: YamlValue): value is YamlMap =>
  isMap(value) && (value.has('script') || value.has('trigger') || isUpstreamBridge(value))

/** A job that mirrors the status of a pipeline of another project. */
function isUpstreamBridge(job: YamlMap): boolean {
  const value = job.get('needs')
  return isMap(value) && value.has('pipeline') && !value.has('job')
}

export interface JobSurroundings {
  /** The values of `default` and of the top-level keys. */
  readonly defaults: YamlMap
  readonly hasWorkflow: boolean
}

/** Reads a job. Errors go to the problems of `place`; a job with errors must not be used. */
export function readJob(name: string, written: YamlMap, { defaults, hasWorkflow }: JobSurroundings, place: Place): JobConfig {
  const isBridge = written.has('trigger') || isUpstreamBridge(written)
  if (name.length > limits.name) place.refuse(`name should have at most ${limits.name} characters`)
  place.knows(written, isBridge ? bridgeKeys : jobKeys)
  if (!isBridge) assertNoSecrets(written, place)
  for (const key of laterKeys) at(written, key, place, ofLaterLevel)
  const { default: defaulted = true, variables: inherited_variables = true } = at(written, 'inherit', place, jobReaders.inherit) ?? {}
  if (Array.isArray(defaulted)) assertKnownDefaults(defaulted, place.below('inherit').below('default'))
  const job = isBridge ? written : withDefaults(written, defaults, defaulted)

  const said = at(job, 'when', place, jobReaders.when)
  const ruled = at(job, 'rules', place, jobReaders.rules)
  if (ruled)
    for (const key of ['only', 'except', 'start_in']) if (job.has(key)) place.refuse(`config key may not be used with \`rules\`: ${key}`)
  const hasStart = (job.get('start_in') ?? null) !== null
  if (said === 'delayed' && !ruled && !hasStart) place.refuse('start in should be a duration')
  if (said !== 'delayed' && hasStart) place.refuse('start in must be blank where the job is not delayed')
  const failing = at(job, 'allow_failure', place, jobReaders.allow_failure)
  const needed = at(job, 'needs', place, needs(isBridge))
  const only = at(job, 'only', place, jobReaders.only)
  const except = at(job, 'except', place, jobReaders.except)
  const isOpen = ruled !== undefined || (hasWorkflow && !only && !except)

  return {
    name,
    kind: isBridge ? 'bridge' : 'build',
    stage: at(job, 'stage', place, jobReaders.stage) ?? at(job, 'type', place, jobReaders.type) ?? 'test',
    when: said,
    start_in: at(job, 'start_in', place, jobReaders.start_in),
    allow_failure: failing?.always ?? (failing?.exit_codes ? false : undefined),
    rules: ruled,
    only: only ? { ...only, refs: only.refs ?? everywhere } : isOpen ? undefined : { refs: everywhere, written: { refs: everywhere } },
    except,
    needs: needed?.local,
    other_needs: needed?.other ?? [],
    dependencies: at(job, 'dependencies', place, jobReaders.dependencies),
    parallel: at(job, 'parallel', place, jobReaders.parallel),
    tags: at(job, 'tags', place, jobReaders.tags) ?? [],
    interruptible: at(job, 'interruptible', place, jobReaders.interruptible) ?? false,
    resource_group: at(job, 'resource_group', place, jobReaders.resource_group),
    timeout: at(job, 'timeout', place, jobReaders.timeout),
    variables: at(job, 'variables', place, jobReaders.variables) ?? [],
    inherited_variables,
    environment: at(job, 'environment', place, jobReaders.environment),
    options: {
      ...optional('allow_failure_exit_codes', failing?.exit_codes),
      ...(isBridge ? optional('trigger', at(job, 'trigger', place, jobReaders.trigger)) : runOptions(job, place)),
    },
  }
}

/** The stage of a job that names none. */
const everywhere = ['branches', 'tags']

function assertKnownDefaults(names: readonly string[], place: Place): void {
  const unknown = names.filter(name => !defaultKeys.some(key => key === name))
  if (unknown.length > 0) place.refuse(`config contains unknown values: ${unknown.join(', ')}`)
}

function withDefaults(job: YamlMap, defaults: YamlMap, inherited: boolean | readonly string[]): YamlMap {
  if (inherited === false) return job
  const filled = new Map(job)
  for (const key of defaultKeys)
    if (!job.has(key) && defaults.has(key) && (inherited === true || inherited.includes(key))) filled.set(key, defaults.get(key) ?? null)
  return filled
}

function runOptions(job: YamlMap, place: Place): JobOptions {
  const commands = at(job, 'script', place, jobReaders.script)
  if (job.get('script') === null || commands?.length === 0) place.below('script').refuse("config can't be blank")
  return {
    ...optional('image', at(job, 'image', place, jobReaders.image)),
    ...optional('services', at(job, 'services', place, jobReaders.services)),
    ...optional('before_script', at(job, 'before_script', place, jobReaders.before_script)),
    ...optional('script', commands),
    ...optional('after_script', at(job, 'after_script', place, jobReaders.after_script)),
    ...optional('artifacts', at(job, 'artifacts', place, jobReaders.artifacts)),
    ...optional('cache', at(job, 'cache', place, jobReaders.cache)),
    ...optional('retry', at(job, 'retry', place, jobReaders.retry)),
    ...optional('coverage', at(job, 'coverage', place, jobReaders.coverage)),
    ...optional('id_tokens', at(job, 'id_tokens', place, jobReaders.id_tokens)),
    ...optional('release', at(job, 'release', place, jobReaders.release)),
  }
}
