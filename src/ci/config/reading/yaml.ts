/**
 * YAML 1.1 to data, within bounds: anchors are put in place, merges (`<<`) done, and what is repeated is counted each time, so
 * that no file can grow beyond the limits. Scalars are what the ecosystem takes them for: a version like `1.10` is a decimal
 * number, and its text is `1.1`.
 */
import { isAlias, isMap as isMapNode, isScalar, isSeq, type Pair, parseAllDocuments, parseDocument, type Scalar, type Tags } from 'yaml'
import { limits } from '../limits.ts'
import { readPlainly } from './plain.ts'
import { Budget, ConfigRefused, isList, isMap, type Reference, sizeOf, type YamlMap, type YamlValue } from './values.ts'

/** YAML 1.1 in which dates are text, and without the types that mean nothing in a CI file. For reading and for writing. */
export const yamlDialect = {
  version: '1.1',
  customTags: (tags: Tags) => tags.filter(tag => typeof tag === 'string' || !/timestamp|binary|omap|pairs|set$/.test(tag.tag)),
} as const

const options = { ...yamlDialect, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const

/**
 * The contents of a CI file, read in the thread that calls.
 * @param name as messages call the file
 * @throws ConfigRefused
 */
export function parseYaml(text: string, name: string): YamlMap {
  return readPlainly(text, plainScalar) ?? parseFully(text, name)
}

/** What a text is that stands there plainly, by itself. */
export function plainScalar(text: string): YamlValue {
  const { contents } = parseDocument(text, options)
  return isScalar(contents) ? scalar(contents) : null
}

/** The same by the parser of YAML proper, whatever the file is like. */
export function parseFully(text: string, name: string): YamlMap {
  const root = composed(text, name)
  if (root === null) return new Map()
  const data = new Walk(name).value(root, 0)
  if (data === null) return new Map()
  if (!isMap(data)) throw new ConfigRefused(`${name}: Invalid configuration format, it should be a map of keys`)
  return data
}

function composed(text: string, name: string): unknown {
  try {
    const [document] = parseAllDocuments(text, options)
    if (document === undefined || !('contents' in document)) return null
    const [error] = document.errors
    if (error && /call stack/.test(error.message)) throw new RangeError(error.message)
    if (error) throw new ConfigRefused(`${name}: ${firstLine(error.message)} at ${placeOf(text, error.pos[0])}`)
    return document.contents
  } catch (error) {
    // The parser calls itself for each level, and reports some of what it meets then as an error of the text.
    if (error instanceof RangeError) throw new ConfigRefused(`${name}: The parsed YAML is nested too deeply`)
    throw error
  }
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').replace(/:$/, '')

/** Lines and columns are counted from 1, and only where something is wrong. */
function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

class Walk {
  readonly #name: string
  readonly #anchors = new Map<string, YamlValue>()
  readonly #sizes = new Map<YamlValue, number>()
  readonly #budget = new Budget()

  constructor(name: string) {
    this.#name = name
  }

  value(node: unknown, depth: number): YamlValue {
    if (depth > limits.depth) throw new ConfigRefused(`${this.#name}: The parsed YAML is nested too deeply`)
    if (node === null || node === undefined) return null
    if (isAlias(node)) return this.#aliased(node.source)
    const value = this.#own(node, depth)
    const { anchor } = node as { anchor?: string }
    if (anchor !== undefined) this.#anchors.set(anchor, value)
    return value
  }

  #aliased(name: string): YamlValue {
    const value = this.#anchors.get(name)
    if (value === undefined) throw new ConfigRefused(`${this.#name}: Unknown alias: ${name}`)
    this.#budget.spend(this.#sizeOf(value))
    return value
  }

  #own(node: unknown, depth: number): YamlValue {
    if (isScalar(node)) {
      const value = scalar(node)
      // No shell takes one, and no database keeps one.
      if (typeof value === 'string' && value.includes('\0')) throw new ConfigRefused(`${this.#name}: a text has a NUL character`)
      this.#budget.spend(this.#sizeOf(value))
      return value
    }
    if (isSeq(node)) {
      const items = node.items.map(item => this.value(item, depth + 1))
      return node.tag === '!reference' ? this.#reference(items) : this.#sized(items)
    }
    if (isMapNode(node)) return this.#map(node.items as Pair[], depth)
    throw new ConfigRefused(`${this.#name}: Invalid configuration format`)
  }

  #reference(items: readonly YamlValue[]): Reference {
    if (items.length === 0 || !items.every(item => typeof item === 'string'))
      throw new ConfigRefused(`${this.#name}: a !reference should be a list of names of keys`)
    return { reference: items }
  }

  #map(pairs: readonly Pair[], depth: number): YamlValue {
    const map = new Map<string, YamlValue>()
    for (const { key, value } of pairs) {
      if (!isScalar(key) && !isAlias(key)) throw new ConfigRefused(`${this.#name}: keys should be text`)
      const data = this.value(value, depth + 1)
      // Contract: what is merged takes the place of what stands above it in the map, not of what stands below (public behaviour).
      if (isMergeKey(key)) for (const merged of this.#toMerge(data)) for (const [name, below] of merged) map.set(name, below)
      else map.set(this.#keyOf(key, depth), data)
    }
    return this.#sized(map)
  }

  #keyOf(key: unknown, depth: number): string {
    const name = this.value(key, depth + 1)
    if (isMap(name) || isList(name)) throw new ConfigRefused(`${this.#name}: keys should be text`)
    return name === null ? '' : String(name)
  }

  /** The first of a list is the strongest. */
  #toMerge(data: YamlValue): YamlMap[] {
    const maps: readonly YamlValue[] = isList(data) ? data.toReversed() : [data]
    return maps.map(map => {
      if (!isMap(map)) throw new ConfigRefused(`${this.#name}: << should merge a map, or a list of maps`)
      this.#budget.spend(map.size)
      return map
    })
  }

  #sized<T extends YamlValue>(value: T): T {
    this.#sizes.set(value, sizeOf(value, this.#sizes))
    return value
  }

  #sizeOf(value: YamlValue): number {
    return sizeOf(value, this.#sizes)
  }
}

const isMergeKey = (key: unknown): boolean =>
  isScalar(key) && (typeof key.value === 'symbol' || (key.value === '<<' && (key.type === 'PLAIN' || key.type === undefined)))

/** What a scalar is. Integers are numbers where a number can hold them; everything that is written with a point is text. */
function scalar({ value, source }: Scalar): YamlValue {
  if (typeof value === 'boolean') return /^[yn]$/i.test(source ?? '') ? (source as string) : value
  if (typeof value === 'number') return numeral(value, source ?? String(value))
  if (typeof value === 'bigint') return String(value)
  return value === null || value === undefined ? null : String(value)
}

function numeral(value: number, source: string): number | string {
  const isDecimal = source.includes('.')
  if (isDecimal) return Number.isInteger(value) ? value.toFixed(1) : String(value)
  // `0899` is no octal number, `12e3` no decimal one: both are text, as commits and versions often are.
  const isInteger = /^[-+]?(?:0[0-7_]*|[1-9][0-9_]*|0x[0-9a-f_]+|0b[01_]+|[0-9][0-9_]*(?::[0-5]?[0-9])+)$/i.test(source)
  return isInteger && Number.isSafeInteger(value) ? value : source
}
