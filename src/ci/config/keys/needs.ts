/** Which jobs a job waits for, and whose artifacts it downloads: `needs` and `dependencies`. */
import { limits } from '../limits.ts'
import type { OtherNeed, PlannedNeed } from '../plan.ts'
import { isList, isMap, type YamlMap, type YamlValue } from '../reading/values.ts'
import { anyText, at, fields, flag, type Place, type Read, shaped } from './place.ts'

export interface Needs {
  /** Undefined if the list is not empty but names no job of this pipeline: the job then waits for its stage. */
  readonly local: readonly PlannedNeed[] | undefined
  readonly other: readonly OtherNeed[]
}

const localNeed = fields({ job: anyText, artifacts: flag, optional: flag, parallel: (_value, place: Place) => place.refuse(selection) })
const selection = 'cannot choose among the copies of a job: need one by its whole name'

const projectNeed = fields({ project: anyText, job: anyText, ref: anyText, artifacts: flag }, ['job', 'ref'])
const pipelineNeed = fields({ pipeline: anyText, job: anyText, artifacts: flag }, ['job'])

/** `needs` of a job, or of a bridge (`isBridge`). Only a bridge may mirror the status of another pipeline. */
export const needs = (isBridge: boolean): Read<Needs> =>
  shaped({ types: ['array', 'object'], items: { types: ['string', 'number', 'object', 'array'] } }, (value, place) => {
    const list = isList(value) ? (value.flat(limits.referenceDepth) as readonly YamlValue[]) : isMap(value) ? [value] : undefined
    if (!list) return place.refuse('config should be a list of jobs')
    const local: PlannedNeed[] = []
    const other: OtherNeed[] = []
    for (const [index, item] of list.entries()) {
      const where = place.below(`[${index}]`)
      const need = isMap(item) ? mapped(item, where, isBridge) : named(item, where)
      if (need && 'name' in need) local.push(need)
      else if (need) other.push(need)
    }
    if (local.length > limits.needs)
      return place.refuse(`config has too many jobs: one job can only need ${limits.needs} others, but it lists ${local.length}`)
    if (other.length > limits.otherNeeds) return place.refuse(`config can have at most ${limits.otherNeeds} jobs of other pipelines`)
    const twice = local.find(({ name }, index) => local.findIndex(need => need.name === name) !== index)
    if (twice) place.refuse(`config names ${twice.name} more than once`)
    return { local: local.length > 0 || list.length === 0 ? local : undefined, other }
  })

const named = (item: YamlValue, place: Place): PlannedNeed | undefined => {
  const name = anyText(item, place)
  return name === undefined ? undefined : { name, artifacts: true, optional: false }
}

function mapped(item: YamlMap, place: Place, isBridge: boolean): PlannedNeed | OtherNeed | undefined {
  if (item.has('project')) {
    const { project, ref, job, artifacts = true } = projectNeed(item, place) ?? {}
    return project === undefined || ref === undefined || job === undefined ? undefined : { project, ref, job, artifacts }
  }
  if (item.has('pipeline') && !item.has('job')) {
    const pipeline = at(item, 'pipeline', place, anyText)
    if (!isBridge) return place.refuse('config should have a job where a pipeline is needed')
    return pipeline === undefined ? undefined : { upstream_pipeline: pipeline }
  }
  if (item.has('pipeline')) {
    const { pipeline, job, artifacts = true } = pipelineNeed(item, place) ?? {}
    return pipeline === undefined || job === undefined ? undefined : { pipeline, job, artifacts }
  }
  const { job, artifacts = true, optional = false } = localNeed(item, place) ?? {}
  return job === undefined ? place.refuse('config should have a job') : { name: job, artifacts, optional }
}
