/** Parses YAML of users on the calling thread. What it says is handed on as JSON, so that its size is known before anything is made of it. */
import { CORE_SCHEMA, defineScalarTag, load, mapTag, Schema, seqTag, strTag } from 'js-yaml'

/** What is read of a text. */
export interface WantedYaml {
  /** `core` is YAML 1.2, in which dates are texts; in `ruby`, all scalars are texts, and objects of Ruby maps of what they hold. */
  readonly schema: 'core' | 'ruby'
  /** Aliases that the text may have. */
  readonly aliases: number
  /** Keys of the map that are handed on; undefined for all. */
  readonly fields?: readonly string[]
}

export interface AskedYaml extends WantedYaml {
  readonly text: string
  /** Characters of JSON that may come of it; what aliases stand for counts each time. */
  readonly most: number
}

/** The map as JSON, or what is wrong with the text. */
export type ParsedYaml = { readonly json: string } | { readonly refused: string }

const schemas = {
  core: CORE_SCHEMA,
  ruby: new Schema([
    strTag,
    seqTag,
    mapTag,
    { ...mapTag, tagName: '!ruby/', matchByTagPrefix: true },
    defineScalarTag('!ruby/', { matchByTagPrefix: true, resolve: source => source, identify: () => false }),
    defineScalarTag('!binary', { resolve: source => Buffer.from(source, 'base64').toString('utf8'), identify: () => false }),
  ]),
} as const

/** What is refused for its size. */
export const tooComplex: ParsedYaml = { refused: 'is too complex to be read' }

/** Maps and lists within each other, with those that aliases stand for. */
const MOST_LEVELS = 128

/** The map in a text; an empty one for a document that is null. */
export function parseYaml({ text, schema, aliases, fields, most }: AskedYaml): ParsedYaml {
  let value: unknown
  try {
    value = load(text, { schema: schemas[schema], maxAliases: aliases }) ?? {}
  } catch {
    // Whatever the library says is about the text.
    return { refused: 'is not YAML that can be read' }
  }
  if (typeof value !== 'object' || Array.isArray(value)) return { refused: 'is no map of YAML' }
  const wanted = fields ? Object.fromEntries(Object.entries(value as object).filter(([key]) => fields.includes(key))) : value
  if (!new Extents(most).isWithin(wanted)) return tooComplex
  const json = JSON.stringify(wanted)
  return json.length > most ? tooComplex : { json }
}

/** What a value comes to when it is written out. */
interface Extent {
  readonly size: number
  readonly levels: number
}

const ENDLESS: Extent = { size: Number.POSITIVE_INFINITY, levels: Number.POSITIVE_INFINITY }

/** Measures values without writing them out: ten aliases can stand for more than any memory holds, and one for a value within itself. */
class Extents {
  readonly #most: number
  /** Of maps and lists that were measured; of one that is being measured, `ENDLESS`. */
  readonly #known = new Map<object, Extent>()

  constructor(most: number) {
    this.#most = most
  }

  isWithin(value: unknown): boolean {
    const { size, levels } = this.#of(value)
    return size <= this.#most && levels <= MOST_LEVELS
  }

  #of(value: unknown): Extent {
    if (typeof value === 'string') return { size: value.length + 2, levels: 0 }
    if (typeof value !== 'object' || value === null) return { size: 1, levels: 0 }
    const known = this.#known.get(value)
    if (known) return known
    this.#known.set(value, ENDLESS)
    const extent = this.#sum(value)
    this.#known.set(value, extent)
    return extent
  }

  #sum(value: object): Extent {
    const isList = Array.isArray(value)
    let size = 2
    let levels = 0
    for (const [key, inner] of Object.entries(value)) {
      const below = this.#of(inner)
      size += below.size + 1 + (isList ? 0 : key.length + 3)
      levels = Math.max(levels, below.levels)
      if (size > this.#most) return ENDLESS
    }
    return { size, levels: levels + 1 }
  }
}
