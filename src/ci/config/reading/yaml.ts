/**
 * Parses YAML 1.1 within bounds: anchors and merge keys (`<<`) are resolved, and repeated parts are counted each time, so
 * that no file can grow beyond the limits. Scalars are resolved as the ecosystem does: a version like `1.10` is a decimal
 * number, and its text is `1.1`.
 */
import {
  boolYaml11Tag,
  eventsToAst,
  floatYaml11Tag,
  intYaml11Tag,
  type MappingNode,
  mapTag,
  type Node,
  nullYaml11Tag,
  parseEvents,
  SCALAR_STYLE,
  type ScalarNode,
  Schema,
  seqTag,
  strTag,
  YAMLException,
} from 'js-yaml'
import { limits } from '../limits.ts'
import { CI_FILE } from '../plan.ts'
import { Budget, ConfigRefused, isList, isMap, type Reference, sizeOf, type YamlMap, type YamlValue } from './values.ts'

/** YAML 1.1 in which dates are text, and without the types that have no meaning in a CI file. */
const schema = new Schema([strTag, seqTag, mapTag, nullYaml11Tag, boolYaml11Tag, intYaml11Tag, floatYaml11Tag])

/**
 * Parses a CI file on the calling thread.
 * @param name the name of the file in messages
 * @throws ConfigRefused
 */
export function parseYaml(text: string, name: string): YamlMap {
  const root = composed(text, name)
  const data = root && new Walk(name).value(root, 0)
  if (data === null) return new Map()
  if (!isMap(data)) throw notAMap(name)
  return data
}

/** Contract: these words alone where the CI file itself is no map (public behaviour); an included file is named. */
const notAMap = (name: string) =>
  new ConfigRefused(name === CI_FILE ? 'Invalid configuration format' : `${name}: Invalid configuration format`)

/** The first document of a text; null where there is none. */
function composed(text: string, name: string): Node | null {
  try {
    // The walk below enforces the depth: this check counts brackets, which may be part of a key.
    const [document] = eventsToAst(parseEvents(text, { maxDepth: limits.depth + 1 }), { source: text, schema })
    return document?.contents ?? null
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    if (error.reason.includes('maxDepth')) throw new ConfigRefused(`${name}: The parsed YAML is nested too deeply`)
    // Counted from 1, unlike in the library.
    const place = error.mark && ` at line ${error.mark.line + 1}, column ${error.mark.column + 1}`
    throw new ConfigRefused(`${name}: ${error.reason}${place ?? ''}`)
  }
}

class Walk {
  readonly #name: string
  readonly #anchors = new Map<string, YamlValue>()
  readonly #sizes = new Map<YamlValue, number>()
  readonly #budget = new Budget()

  constructor(name: string) {
    this.#name = name
  }

  value(node: Node, depth: number): YamlValue {
    if (depth > limits.depth) throw new ConfigRefused(`${this.#name}: The parsed YAML is nested too deeply`)
    if (node.kind === 'alias') return this.#aliased(node.anchor)
    const value = this.#own(node, depth)
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, value)
    return value
  }

  #aliased(name: string): YamlValue {
    const value = this.#anchors.get(name)
    if (value === undefined) throw new ConfigRefused(`${this.#name}: Unknown alias: ${name}`)
    this.#budget.spend(this.#sizeOf(value))
    return value
  }

  #own(node: Exclude<Node, { kind: 'alias' }>, depth: number): YamlValue {
    if (node.kind === 'mapping') return this.#map(node.items, depth)
    if (node.kind === 'sequence') {
      const items = node.items.map(item => this.value(item, depth + 1))
      return node.tag === '!reference' ? this.#reference(items) : this.#sized(items)
    }
    const value = scalar(node)
    // No shell accepts NUL, and no database stores it.
    if (typeof value === 'string' && value.includes('\0')) throw new ConfigRefused(`${this.#name}: a text has a NUL character`)
    this.#budget.spend(this.#sizeOf(value))
    return value
  }

  #reference(items: readonly YamlValue[]): Reference {
    if (items.length === 0 || !items.every(item => typeof item === 'string'))
      throw new ConfigRefused(`${this.#name}: a !reference should be a list of names of keys`)
    return { reference: items }
  }

  #map(pairs: MappingNode['items'], depth: number): YamlValue {
    const map = new Map<string, YamlValue>()
    for (const { key, value } of pairs) {
      if (key.kind !== 'scalar' && key.kind !== 'alias') throw new ConfigRefused(`${this.#name}: keys should be text`)
      const data = this.value(value, depth + 1)
      // Contract: what is merged takes the place of what stands above it in the map, not of what stands below (public behaviour).
      if (isMergeKey(key)) for (const merged of this.#toMerge(data)) for (const [name, below] of merged) map.set(name, below)
      else map.set(this.#keyOf(key, depth), data)
    }
    return this.#sized(map)
  }

  #keyOf(key: Node, depth: number): string {
    const name = this.value(key, depth + 1)
    if (isMap(name) || isList(name)) throw new ConfigRefused(`${this.#name}: keys should be text`)
    // Contract: `:name` is a symbol in the ecosystem's YAML, and as a key it is the same as `name` (public behaviour).
    if (typeof name === 'string' && key.kind === 'scalar' && key.style === SCALAR_STYLE.PLAIN && /^:\S/.test(name)) return name.slice(1)
    return name === null ? '' : String(name)
  }

  /** The first item of a list is the strongest. */
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

const isMergeKey = (key: Node): boolean => key.kind === 'scalar' && key.value === '<<' && key.style === SCALAR_STYLE.PLAIN && !key.tagged

const tags = { null: nullYaml11Tag, bool: boolYaml11Tag, int: intYaml11Tag, float: floatYaml11Tag }

/** Resolves a scalar. Integers become numbers if a number can hold them; decimals stay text. */
function scalar({ tag, tagged, value }: ScalarNode): YamlValue {
  const [, type = ''] = /^(?:tag:yaml\.org,2002:|!!)(\w+)$/.exec(tag) ?? []
  if (!(type in tags)) return value
  const meant: unknown = tags[type as keyof typeof tags].resolve(value, tagged, tag)
  if (meant === null) return null
  if (typeof meant === 'boolean') return /^[yn]$/i.test(value) ? value : meant
  // A value that is tagged as a number but is none is text.
  return typeof meant === 'number' ? numeral(meant, value) : value
}

function numeral(value: number, source: string): number | string {
  const isDecimal = source.includes('.')
  if (isDecimal) return Number.isInteger(value) ? value.toFixed(1) : String(value)
  // `0899` is no octal number, `12e3` no decimal one: both are text, as commits and versions often are.
  const isInteger = /^[-+]?(?:0[0-7_]*|[1-9][0-9_]*|0x[0-9a-f_]+|0b[01_]+|[0-9][0-9_]*(?::[0-5]?[0-9])+)$/i.test(source)
  return isInteger && Number.isSafeInteger(value) ? value : source
}
