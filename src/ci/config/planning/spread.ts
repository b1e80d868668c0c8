/** `parallel`: expands a job to several. A job that needs it needs all of them. */
import type { JobConfig, Matrix } from '../keys/config.ts'
import { limits } from '../limits.ts'
import type { PlannedNeed, PlanVariable } from '../plan.ts'

interface Copy {
  readonly name: string
  readonly variables: readonly PlanVariable[]
}

/** How many jobs there are once `parallel` is expanded. */
export const spreadCount = (jobs: readonly JobConfig[]): number => jobs.reduce((sum, { parallel }) => sum + copyCount(parallel), 0)

/** The errors of jobs that need too many once `parallel` is expanded: each need of a job with copies is one of each copy. */
export function tooManyNeeds(jobs: readonly JobConfig[]): string[] {
  const counts = new Map(jobs.map(({ name, parallel }) => [name, copyCount(parallel)]))
  return jobs.flatMap(({ name, needs = [] }) => {
    const count = needs.reduce((sum, need) => sum + (counts.get(need.name) ?? 1), 0)
    return count > limits.needs
      ? [`${name} job: one job can only need ${limits.needs} others, but it needs ${count} with their copies`]
      : []
  })
}

function copyCount(parallel: JobConfig['parallel']): number {
  if (parallel === undefined || typeof parallel === 'number') return parallel ?? 1
  return parallel.reduce((sum, row) => sum + Object.values(row).reduce((product, values) => product * values.length, 1), 0)
}

/** The jobs with `parallel` expanded, in the order of the file. In slices. */
export function* spread(jobs: readonly JobConfig[]): Generator<undefined, JobConfig[], void> {
  const copies = new Map(jobs.map(job => [job.name, copiesOf(job)]))
  const isSpread = jobs.some(({ parallel }) => parallel !== undefined)
  if (!isSpread) return [...jobs]
  const namesOf = (name: string): readonly string[] => copies.get(name)?.map(copy => copy.name) ?? [name]
  const all: JobConfig[] = []
  for (const job of jobs) {
    all.push(...copiesAround(job))
    yield
  }
  return all

  function copiesAround(job: JobConfig): readonly JobConfig[] {
    const needs = job.needs?.flatMap((need): PlannedNeed[] => namesOf(need.name).map(name => ({ ...need, name })))
    const around = { ...job, needs, dependencies: job.dependencies?.flatMap(namesOf) }
    if (job.parallel === undefined) return [around]
    const own = copies.get(job.name) ?? []
    return own.map(({ name, variables }, at): JobConfig => {
      const place = { index: at + 1, total: own.length }
      const node = [
        { key: 'CI_NODE_INDEX', value: String(place.index) },
        { key: 'CI_NODE_TOTAL', value: String(place.total) },
      ]
      return {
        ...around,
        name,
        variables: [...job.variables, ...variables, ...node],
        options: { ...job.options, parallel: place },
      }
    })
  }
}

function copiesOf({ name, parallel }: JobConfig): readonly Copy[] {
  if (parallel === undefined) return [{ name, variables: [] }]
  if (typeof parallel === 'number')
    return Array.from({ length: parallel }, (_, at) => ({ name: `${name} ${at + 1}/${parallel}`, variables: [] }))
  return parallel
    .flatMap(combinations)
    .map(variables => ({ name: `${name}: [${variables.map(({ value }) => value).join(', ')}]`, variables }))
}

/** All combinations of one value per variable; the last variable changes fastest. */
const combinations = (row: Matrix[number]): PlanVariable[][] =>
  Object.entries(row).reduce<PlanVariable[][]>(
    (chosen, [key, values]) => chosen.flatMap(before => values.map(value => [...before, { key, value }])),
    [[]],
  )
