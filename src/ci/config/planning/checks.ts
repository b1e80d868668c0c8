/** Checks across jobs, independent of rules: stages exist, needs come earlier, environments can be stopped. */
import type { FileConfig, JobConfig } from '../keys/config.ts'
import { limits } from '../limits.ts'

/** The error of a file with too many jobs; `count`: after `parallel` is expanded. */
export const tooManyJobs = (count: number): readonly string[] =>
  count > limits.jobs ? [`The number of jobs has exceeded the limit of ${limits.jobs}`] : []

/** Stages that a message names at most. */
const NAMED = 50

const namesOf = (stages: readonly string[]): string =>
  stages.length <= NAMED ? stages.join(', ') : `${stages.slice(0, NAMED).join(', ')} and ${stages.length - NAMED} more`

/** The errors across the jobs of a file; `jobs` are those after `parallel` is expanded. In slices. */
export function* errorsBetween({ stages }: FileConfig, jobs: readonly JobConfig[]): Generator<undefined, string[], void> {
  const available = namesOf(stages)
  const positions = new Map(stages.map((stage, index) => [stage, index]))
  const byName = new Map(jobs.map(job => [job.name, job]))
  const twice = jobs.filter(job => byName.get(job.name) !== job).map(({ name }) => `${name} job: the name is given more than once`)
  const errors: string[] = []
  for (const job of jobs) {
    errors.push(...errorsOf(job))
    yield
  }
  return [...twice, ...errors, ...(errors.length === 0 ? cycleErrors(jobs) : [])]

  function errorsOf(job: JobConfig): readonly string[] {
    const position = positions.get(job.stage)
    if (position === undefined) return [`${job.name} job: chosen stage does not exist; available stages are ${available}`]
    return [...needErrors(job, position), ...dependencyErrors(job, position), ...environmentErrors(job)]
  }

  function needErrors({ name, needs = [] }: JobConfig, position: number): string[] {
    return needs.flatMap(need => {
      const other = byName.get(need.name)
      if (!other) return need.optional ? [] : [`${name} job: undefined need: ${need.name}`]
      return (positions.get(other.stage) ?? 0) > position
        ? [`${name} job: need ${need.name} is not defined in current or prior stages`]
        : []
    })
  }

  function dependencyErrors({ name, needs, dependencies = [] }: JobConfig, position: number): string[] {
    const needed = new Set(needs?.map(need => need.name))
    return dependencies.flatMap(dependency => {
      const other = byName.get(dependency)
      if (!other) return [`${name} job: undefined dependency: ${dependency}`]
      if (needs && !needed.has(dependency)) return [`${name} job: dependencies the ${dependency} should be part of needs`]
      return !needs && (positions.get(other.stage) ?? 0) > position
        ? [`${name} job: dependency ${dependency} is not defined in current or prior stages`]
        : []
    })
  }

  function environmentErrors({ name, environment }: JobConfig): string[] {
    const stopping = environment?.on_stop
    if (environment === undefined || stopping === undefined) return []
    const other = byName.get(stopping)
    if (!other) return [`${name} job: on_stop job ${stopping} is not defined`]
    if (!other.environment) return [`${name} job: on_stop job ${stopping} does not have environment defined`]
    if (other.environment.name !== environment.name) return [`${name} job: on_stop job ${stopping} have different environment name`]
    return other.environment.action === 'stop' ? [] : [`${name} job: on_stop job ${stopping} needs to have action stop defined`]
  }
}

/** Repeatedly removes jobs whose needs are all removed: what remains is part of a cycle. */
function cycleErrors(jobs: readonly JobConfig[]): string[] {
  const names = new Set(jobs.map(({ name }) => name))
  const needing = new Map<string, string[]>()
  const waiting = new Map<string, number>()
  for (const { name, needs = [] } of jobs) {
    const present = needs.filter(need => names.has(need.name))
    waiting.set(name, present.length)
    for (const need of present) listOf(needing, need.name).push(name)
  }
  const free = jobs.filter(({ name }) => waiting.get(name) === 0).map(({ name }) => name)
  for (let at = 0; at < free.length; at += 1)
    for (const name of needing.get(free[at] as string) ?? []) {
      const left = (waiting.get(name) ?? 0) - 1
      waiting.set(name, left)
      if (left === 0) free.push(name)
    }
  const stuck = jobs.filter(({ name }) => (waiting.get(name) ?? 0) > 0).map(({ name }) => name)
  return stuck.length === 0 ? [] : [`The pipeline has circular dependencies: ${stuck.slice(0, 10).join(', ')}`]
}

function listOf(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
