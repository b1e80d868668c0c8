/** CI files as data: YAML with anchors and merge keys resolved. Maps keep the order of the file, whatever their keys are. */
import { limits } from '../limits.ts'

/** `!reference [job, key]`, resolved after the merge. Plain data, since it is posted between threads. */
export interface Reference {
  readonly reference: readonly string[]
}

export type YamlMap = ReadonlyMap<string, YamlValue>
export type YamlList = readonly YamlValue[]
export type YamlValue = null | boolean | number | string | Reference | YamlList | YamlMap

/** A CI file that cannot be read as a whole. The message may be shown to the user. */
export class ConfigRefused extends Error {}

export const isMap = (value: YamlValue | undefined): value is YamlMap => value instanceof Map
export const isReference = (value: YamlValue | undefined): value is Reference =>
  typeof value === 'object' && value !== null && 'reference' in value
export const isList = (value: YamlValue | undefined): value is YamlList => Array.isArray(value)

/** Counts the nodes that merging creates, so that a few lines cannot grow without bound. */
export class Budget {
  #left: number

  constructor(size: number = limits.mergedSize) {
    this.#left = size
  }

  /** @throws ConfigRefused */
  spend(size: number): void {
    this.#left -= size
    if (this.#left < 0) throw new ConfigRefused('The configuration is too big once anchors, extends and references are put in place')
  }
}

/** `over` merged over `base`: maps key by key, everything else is replaced. */
export function deepMerge(base: YamlMap, over: YamlMap, budget: Budget): YamlMap {
  // Copying a map takes several times as long as sharing it.
  budget.spend(4 * (base.size + over.size))
  const merged = new Map(base)
  for (const [key, value] of over) {
    const below = merged.get(key)
    merged.set(key, isMap(below) && isMap(value) ? deepMerge(below, value, budget) : value)
  }
  return merged
}

/** The size of a file, as `sizeOf` counts it. In slices. */
export function* sizeOfFile(file: YamlMap): Generator<undefined, number, void> {
  const known = new Map<YamlValue, number>()
  let size = 1
  for (const [key, below] of file) {
    size += key.length + sizeOf(below, known)
    yield
  }
  return size
}

/** The size of a value, shared parts counted each time: characters and nodes. Large for a bomb, but quick to compute. */
export function sizeOf(value: YamlValue, known = new Map<YamlValue, number>()): number {
  if (typeof value === 'string') return value.length + 1
  if (!isMap(value) && !isList(value)) return 1
  const before = known.get(value)
  if (before !== undefined) return before
  let size = 1
  if (isMap(value)) for (const [key, below] of value) size += key.length + sizeOf(below, known)
  else for (const item of value) size += sizeOf(item, known)
  known.set(value, size)
  return size
}
