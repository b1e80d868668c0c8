/** A CI file as a whole: its top-level keys and its jobs. */
import { limits } from '../limits.ts'
import type { PlanVariable } from '../plan.ts'
import { isList, isMap, type YamlMap, type YamlValue } from '../reading/values.ts'
import { workflowRules } from './conditions.ts'
import type { FileConfig, JobConfig, Rule } from './config.ts'
import { describedVariables, image, script, services, variables } from './execution.ts'
import { idTokens } from './id_tokens.ts'
import { defaultKeys, isJob, meantByJob, readJob } from './job.ts'
import { artifacts, caches } from './outputs.ts'
import { at, flag, meantBy, ofLaterLevel, Place, type Problems, type Read, type Shape, shaped, shapesOf, texts } from './place.ts'
import { retry, timeout } from './target.ts'

/** Names that no job can have. */
export const topKeys = new Set([
  'default',
  'include',
  'before_script',
  'image',
  'services',
  'after_script',
  'variables',
  'stages',
  'types',
  'cache',
  'workflow',
  'spec',
])

/** Defaults that may also stand at the top level, as before `default` existed. */
const legacyKeys = ['image', 'services', 'before_script', 'after_script', 'cache'] as const

const readersOfDefaults: Readonly<Record<(typeof defaultKeys)[number], Read<unknown>>> = {
  before_script: script,
  image,
  services,
  after_script: script,
  cache: caches,
  interruptible: flag,
  timeout,
  retry,
  tags: texts,
  artifacts,
  id_tokens: idTokens,
}

/** What the keys at the top level take, for the schema of editors. */
export const topShapes = (): NonNullable<Shape['keys']> => {
  const defaults = shapesOf(readersOfDefaults)
  return {
    ...Object.fromEntries(legacyKeys.map(key => [key, defaults[key]])),
    stages: stageNames.shape,
    types: stageNames.shape,
    variables: variables.shape,
    default: { types: ['object'], keys: defaults },
    workflow: { types: ['object'], keys: { rules: workflowRules.shape } },
  }
}

/** Reads a merged file, in slices. Errors go to `problems`; the result may be used only if there are none. */
export function* readFile(file: YamlMap, problems: Problems): Generator<undefined, FileConfig, void> {
  const top = new Place('', problems)
  const defaults = defaultsOf(file, top)
  const workflow = workflowOf(file, top)
  const stages = at(file, 'stages', top, stageNames) ?? at(file, 'types', top, stageNames) ?? ['build', 'test', 'deploy']
  const config: FileConfig = {
    stages: ['.pre', ...stages.filter(stage => stage !== '.pre' && stage !== '.post'), '.post'],
    variables: variablesOf(file, top),
    described: at(file, 'variables', top, describedVariables) ?? [],
    workflow,
    jobs: yield* jobsOf(file, { defaults, hasWorkflow: workflow !== undefined }, top),
  }
  return config
}

const stageNames: Read<readonly string[]> = shaped(
  { types: ['array'], items: { types: ['string', 'number', 'array'] } },
  (value, place) => {
    const names = texts(isList(value) ? value.flat(limits.referenceDepth) : value, place)
    if (names?.some(name => name.length > limits.name)) return place.refuse(`config should have names of at most ${limits.name} characters`)
    return names && [...new Set(names)]
  },
)

function defaultsOf(file: YamlMap, top: Place): YamlMap {
  const written = file.get('default')
  if (written !== undefined && written !== null && !isMap(written)) top.below('default').refuse('config should be a hash')
  const defaults = new Map<string, YamlValue>(isMap(written) ? written : [])
  top.below('default').knows(defaults, new Set(defaultKeys))
  const sound = new Map<string, YamlValue>()
  // An error in the defaults is reported here, and not again for each job that inherits them.
  const take = (from: YamlMap, key: (typeof defaultKeys)[number], place: Place): void => {
    const before = top.problems.errors.length
    at(from, key, place, readersOfDefaults[key])
    if (from.has(key) && top.problems.errors.length === before) sound.set(key, from.get(key) ?? null)
  }
  for (const key of defaultKeys) take(defaults, key, top.below('default'))
  for (const key of legacyKeys)
    if (file.has(key) && defaults.has(key)) top.below('default').refuse(`${key} is defined in top-level and \`default:\` entry`)
    else take(file, key, top)
  return sound
}

function workflowOf(file: YamlMap, top: Place): readonly Rule[] | undefined {
  const written = file.get('workflow')
  if (written === undefined || written === null) return undefined
  const place = top.below('workflow')
  if (!isMap(written)) return place.refuse('config should be a hash')
  place.knows(written, new Set(['rules', 'name', 'auto_cancel']))
  for (const key of ['name', 'auto_cancel']) at(written, key, place, ofLaterLevel)
  return at(written, 'rules', place, workflowRules)
}

const variablesOf = (file: YamlMap, top: Place): readonly PlanVariable[] => at(file, 'variables', top, variables) ?? []

function* jobsOf(file: YamlMap, around: Parameters<typeof readJob>[2], top: Place): Generator<undefined, JobConfig[], void> {
  const place = top.below('jobs')
  const jobs: JobConfig[] = []
  for (const [name, written] of file) {
    if (topKeys.has(name) || name.startsWith('.')) continue
    if (isJob(written)) jobs.push(readJob(name, written, around, place.below(name)))
    else if (isMap(written)) {
      const meant = new Map([...meantBy([name], topKeys, file), ...meantByJob(written)])
      place.below(name).refuse('config should implement a script: or a trigger: keyword', undefined, meant)
    } else top.below('root').refuse(`config contains unknown keys: ${name}`, name, meantBy([name], topKeys, file))
    yield
  }
  if (jobs.length === 0 && top.problems.errors.length === 0) place.refuse('config should contain at least one visible job')
  if (jobs.length > limits.jobs) place.refuse(`config should have at most ${limits.jobs} jobs`)
  return jobs
}
