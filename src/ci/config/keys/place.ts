/** A location in the CI file during the read: its name in messages, and where its errors are collected. */
import { isList, isMap, type YamlMap, type YamlValue } from '../reading/values.ts'
import { nearest } from './nearest.ts'

/** Errors, and warnings. */
export class Problems {
  readonly errors: string[] = []
  readonly warnings: string[] = []
  /** The keys that lead to the location of each message. */
  readonly places = new Map<string, readonly string[]>()
  /**
   * What the location of a message may be meant to say. Not part of the message: clients compare its words.
   */
  readonly hints = new Map<string, string>()
}

export class Place {
  readonly path: string
  readonly problems: Problems
  readonly #above: { readonly place: Place; readonly key: string } | undefined

  constructor(path: string, problems: Problems, above?: { readonly place: Place; readonly key: string }) {
    this.path = path
    this.problems = problems
    this.#above = above
  }

  below(key: string): Place {
    return new Place(this.path === '' ? key : `${this.path}:${key}`, this.problems, { place: this, key })
  }

  /** The keys that lead to it, from the outermost. */
  get keys(): readonly string[] {
    return this.#above ? [...this.#above.place.keys, this.#above.key] : []
  }

  /** Records an error at this location. `at`: the key below it that the error is about. `meant`: other keys, for those that are written. */
  refuse(what: string, at?: string, meant: ReadonlyMap<string, string> = new Map()): undefined {
    const message = `${this.path} ${what}`
    this.problems.errors.push(message)
    if (meant.size > 0)
      this.problems.hints.set(message, [...meant].map(([key, other]) => `Did you mean \`${other}\`, not \`${key}\`?`).join(' '))
    this.problems.places.set(message, at === undefined ? this.keys : [...this.keys, at])
    return undefined
  }

  /** Records a warning at this location. */
  warn(what: string): void {
    const message = `${this.path} ${what}`
    this.problems.warnings.push(message)
    this.problems.places.set(message, this.keys)
  }

  /** Unknown keys are errors: they are typing errors more often than anything else. */
  knows(map: YamlMap, keys: ReadonlySet<string>): void {
    const unknown = [...map.keys()].filter(key => !keys.has(key))
    if (unknown.length > 0) this.refuse(`config contains unknown keys: ${unknown.join(', ')}`, unknown[0], meantBy(unknown, keys, map))
  }
}

/** Unknown keys for which is looked up what they are meant to be: a map may have ten thousands. */
const MOST_MEANT = 20

/** What misspelled keys are meant to be, as far as that is not there already: the first ones. */
export function meantBy(written: Iterable<string>, keys: ReadonlySet<string>, beside: YamlMap): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let left = MOST_MEANT
  for (const key of written) {
    if (keys.has(key)) continue
    if (left-- === 0) break
    const other = nearest(key, keys)
    if (other !== undefined && !beside.has(other)) found.set(key, other)
  }
  return found
}

/** What a reader takes, as a JSON schema would say it: kinds of values, and limits of each kind. Less than the reader checks. */
export interface Shape {
  readonly types: readonly ('string' | 'number' | 'integer' | 'boolean' | 'array' | 'object')[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  /** Of a list. */
  readonly items?: Shape | undefined
  /** Of a map; undefined for a key of which nothing is said. */
  readonly keys?: Readonly<Record<string, Shape | undefined>>
}

/** Parses a value; returns undefined for an invalid one, after recording the error. */
export interface Read<T> {
  (value: YamlValue, place: Place): T | undefined
  /** What it takes, for the schema of editors. */
  readonly shape?: Shape
}

/** A reader with what it takes. */
export const shaped = <T>(shape: Shape, read: (value: YamlValue, place: Place) => T | undefined): Read<T> => Object.assign(read, { shape })

/** The shapes of the keys of a map, by their readers. */
export const shapesOf = (readers: Readonly<Record<string, Read<unknown>>>): NonNullable<Shape['keys']> =>
  Object.fromEntries(Object.entries(readers).map(([key, { shape }]) => [key, shape]))

/** The shape of one value, or of a list of such. */
export const orList = (shape: Shape, list: Pick<Shape, 'minItems' | 'maxItems'> = {}): Shape => ({
  ...shape,
  ...list,
  types: [...new Set([...shape.types, 'array' as const])],
  items: shape,
})

const words: Shape = { types: ['string', 'number'] }

/** The parsed value of a key of a map; undefined if the key is absent. */
export function at<T>(map: YamlMap, key: string, place: Place, read: Read<T>): T | undefined {
  const value = map.get(key)
  return value === undefined || value === null ? undefined : read(value, place.below(key))
}

/** Warns about a key that is accepted and has no effect. */
export const ignored =
  (reason: string): Read<undefined> =>
  (_value, place) => {
    place.warn(`has no effect: ${reason}`)
    return undefined
  }

/** Rejects a key that runners and servers of this level do not know. */
export const ofLaterLevel: Read<undefined> = ignored('it is of a later level')

/** `{ [key]: value }`, or nothing if the value is undefined: options hold no undefined. */
export const optional = <K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: T }

export const text: Read<string> = shaped({ types: ['string'] }, (value, place) =>
  typeof value === 'string' ? value : place.refuse('config should be a string'),
)

/** A text, or a number that is meant as text: versions, names. */
export const anyText: Read<string> = shaped(words, (value, place) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : place.refuse('config should be a string'),
)

export const flag: Read<boolean> = shaped({ types: ['boolean'] }, (value, place) =>
  typeof value === 'boolean' ? value : place.refuse('config should be a boolean value'),
)

export const oneOf = <T extends string>(values: readonly T[]): Read<T> =>
  shaped({ types: ['string'] }, (value, place) =>
    values.includes(value as T) ? (value as T) : place.refuse(`config should be one of: ${values.join(', ')}`),
  )

/** A list of texts. */
export const texts: Read<readonly string[]> = shaped({ types: ['array'], items: words }, (value, place) =>
  isList(value) && value.every(item => typeof item === 'string' || typeof item === 'number')
    ? value.map(String)
    : place.refuse('config should be an array of strings'),
)

/** A text, or a list of them. */
export const oneOrMore: Read<readonly string[]> = shaped({ types: ['string', 'array'], items: words }, (value, place) =>
  typeof value === 'string' ? [value] : texts(value, place),
)

export const map: Read<YamlMap> = shaped({ types: ['object'] }, (value, place) =>
  isMap(value) ? value : place.refuse('config should be a hash'),
)

/** A map of this shape: the parser of each key. */
export const fields = <S extends Record<string, Read<unknown>>>(
  shape: S,
  required: readonly (keyof S & string)[] = [],
): Read<{ readonly [K in keyof S]?: S[K] extends Read<infer T> ? T : never }> =>
  shaped({ types: ['object'], keys: shapesOf(shape) }, (value, place) => {
    if (!isMap(value)) return place.refuse('config should be a hash')
    place.knows(value, new Set(Object.keys(shape)))
    const missing = required.filter(key => !value.has(key) || value.get(key) === null)
    for (const key of missing) place.refuse(`config should have a ${key}`)
    const found = Object.entries(shape).map(([key, read]) => optional(key, at(value, key, place, read)))
    return Object.assign({}, ...found)
  })
