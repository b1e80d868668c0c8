/**
 * Converts wire values to typed parameters: path, query and body become one object, coerced to the declared types and validated, with error
 * messages in the words of document 1 and decision 12.
 */
import type { TProperties, TSchema } from 'typebox'
import Type from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { type Tier, tierCovers, tierOf, Upload } from '../declaration/types.ts'
import { type Failures, invalid, missing } from '../errors.ts'
import { dayOf, instantOf } from './instants.ts'
import { Repeated, type Wire, type WireValue } from './wire.ts'

/** The part of JSON Schema that parameters use, as TypeBox represents it. */
interface Shape {
  type?: string
  anyOf?: Shape[]
  enum?: unknown[]
  const?: unknown
  items?: Shape
  properties?: Record<string, Shape>
  required?: string[]
  patternProperties?: Record<string, Shape>
  default?: unknown
  commas?: boolean
  /** The integer that 0 means. */
  zeroAs?: number
  upload?: boolean
  format?: string
  maxLength?: number
  maxItems?: number
  message?: string
}

const TRUE = new Set(['true', 't', 'yes', 'y', 'on', '1'])
const FALSE = new Set(['false', 'f', 'no', 'n', 'off', '0'])

/** A name in its declared case overrides other spellings of it. */
function inDeclaredCase(shape: Shape, raw: WireValue): WireValue {
  if (Array.isArray(raw) && shape.items) return raw.map(item => inDeclaredCase(shape.items as Shape, item))
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw) || !shape.properties) return raw
  const declared = new Map(Object.keys(shape.properties).map(name => [name.toLowerCase(), name]))
  const renamed: Wire = {}
  for (const [key, value] of Object.entries(raw)) {
    const name = declared.get(key.toLowerCase())
    if (name !== undefined && (name === key || !(name in raw))) renamed[name] = inDeclaredCase(shape.properties[name] as Shape, value)
  }
  return renamed
}

/** A value that no schema accepts. */
const REFUSED = Symbol('refused')

/** The value of the schema's type that `raw` spells, or `raw` itself if it spells none (the check then refuses it). */
function coerce(shape: Shape, raw: WireValue): unknown {
  // Only the kernel creates uploads: JSON that looks like one must not name files of the server.
  if (raw instanceof Repeated && shape.type !== 'array') return coerce(shape, raw.values.at(-1))
  if (shape.anyOf) return coerceUnion(shape.anyOf, raw)
  if (raw instanceof Upload && shape.type === 'array') return [coerce(shape.items ?? {}, raw)]
  if (raw instanceof Upload || shape.upload) return raw instanceof Upload && shape.upload ? raw : REFUSED
  switch (shape.type) {
    case 'string':
      return coerceText(shape, raw)
    case 'integer':
      return coerceInteger(shape, raw)
    case 'number':
      return typeof raw === 'string' && raw.trim() !== '' && Number.isFinite(Number(raw)) ? Number(raw) : raw
    case 'boolean':
      return coerceBoolean(raw)
    case 'array':
      return coerceArray(shape, raw)
    case 'object':
      return coerceObject(shape, raw)
    default:
      return shape.enum && typeof raw === 'number' ? String(raw) : raw
  }
}

function coerceText({ format }: Shape, raw: WireValue): unknown {
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw)
  if (typeof raw !== 'string') return raw
  if (format === 'date-time') return instantOf(raw) ?? REFUSED
  if (format === 'date') return dayOf(raw) ?? REFUSED
  return raw
}

/** An id that a number cannot represent exactly would name another resource: refused. */
function coerceInteger({ zeroAs }: Shape, raw: WireValue): unknown {
  const value = typeof raw === 'string' && /^\s*[+-]?\d+\s*$/.test(raw) ? Number(raw) : raw
  if (value === 0 && zeroAs !== undefined) return zeroAs
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? REFUSED : value
}

/** Clients spell booleans as `True`, `1`, `yes`, `t` (clients.md 0.3). */
function coerceBoolean(raw: WireValue): unknown {
  const word = typeof raw === 'string' ? raw.trim().toLowerCase() : typeof raw === 'number' ? String(raw) : undefined
  if (word === undefined) return raw
  if (TRUE.has(word)) return true
  if (FALSE.has(word)) return false
  return raw
}

function coerceArray(shape: Shape, raw: WireValue): unknown {
  const items = shape.items ?? {}
  const list = raw instanceof Repeated ? raw.values.flat() : Array.isArray(raw) ? raw : undefined
  const read = (values: readonly WireValue[]) => {
    // One entry too many is as wrong as thousands.
    const most = shape.maxItems === undefined ? values.length : shape.maxItems + 1
    return values.slice(0, most).map(value => coerce(items, value))
  }
  if (list) return read(shape.commas ? list.flatMap(splitCommas) : list)
  if (raw === '') return []
  if (typeof raw === 'string' || typeof raw === 'number') return read(shape.commas ? splitCommas(raw) : [raw])
  return raw
}

const splitCommas = (value: WireValue): WireValue[] =>
  typeof value === 'string'
    ? value
        .split(',')
        .map(part => part.trim())
        .filter(part => part !== '')
    : [value]

function coerceObject(shape: Shape, raw: WireValue): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw) || raw instanceof Repeated) return raw
  const source = raw as Wire
  const result: Record<string, unknown> = {}
  if (shape.properties) {
    for (const [key, property] of Object.entries(shape.properties)) {
      const value = source[key]
      if (given(property, value)) result[key] = coerce(property, value)
      else if (property.default !== undefined) result[key] = property.default
    }
    return result
  }
  const property = Object.values(shape.patternProperties ?? {})[0] ?? {}
  for (const [key, value] of Object.entries(source)) if (key !== '__proto__') result[key] = coerce(property, value)
  return result
}

/** A union uses the first member that the coerced value fits. */
function coerceUnion(members: Shape[], raw: WireValue): unknown {
  if (raw === null && members.some(member => member.type === 'null')) return null
  let refused = false
  for (const member of members) {
    if (member.type === 'null') continue
    const value = coerce(member, raw)
    if (fits(member, value)) return value
    refused ||= value === REFUSED
  }
  if (raw === '' && members.some(member => member.type === 'null')) return null
  // The check may accept what a member refuses: `0000-01-01` is a date to it.
  return refused ? REFUSED : raw
}

function fits(shape: Shape, value: unknown): boolean {
  if (shape.upload) return value instanceof Upload
  if (shape.enum) return shape.enum.includes(value)
  if (shape.const !== undefined) return shape.const === value
  switch (shape.type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    // An empty text is no date; in a nullable one it means null.
    case 'string':
      return typeof value === 'string' && (value !== '' || shape.format === undefined)
    default:
      return typeof value === shape.type
  }
}

const nullable = (shape: Shape): boolean => shape.anyOf?.some(member => member.type === 'null') ?? false
const textual = (shape: Shape): boolean => (shape.type === 'string' && shape.format === undefined) || (shape.anyOf?.some(textual) ?? false)

/** Absent, null where null has no meaning, and an empty text for anything that is not a text, all mean "not given". */
function given(shape: Shape, value: WireValue): boolean {
  if (value === undefined) return false
  if (value === null) return nullable(shape)
  if (value === '') return textual(shape) || nullable(shape) || shape.type === 'array'
  return true
}

/** A rule about several parameters that a schema cannot express; returns the messages by parameter. */
export interface Rule {
  /** For the API description. */
  readonly says: string
  check(params: Record<string, unknown>): Failures | undefined
}

/** At most one of these may be given. */
export const exclusive = (...names: [string, string, ...string[]]): Rule => ({
  says: `${names.join(', ')} are mutually exclusive`,
  check(params) {
    const present = names.filter(name => params[name] !== undefined)
    return present.length > 1
      ? Object.fromEntries(
          present.map(name => [name, [`is mutually exclusive with ${present.filter(other => other !== name).join(', ')}`]]),
        )
      : undefined
  },
})

/** One of these is given, and no other. */
export const exactlyOne = (...names: [string, string, ...string[]]): Rule => ({
  says: `exactly one of ${names.join(', ')} is given`,
  check(params) {
    if (names.some(name => params[name] !== undefined)) return exclusive(...names).check(params)
    return Object.fromEntries(names.map(name => [name, [`is missing, exactly one of ${names.join(', ')} is given`]]))
  },
})

/** All of these are given, or none. */
export const allOrNone = (...names: [string, string, ...string[]]): Rule => ({
  says: `all or none of ${names.join(', ')} are given`,
  check(params) {
    const missing = names.filter(name => params[name] === undefined)
    return missing.length > 0 && missing.length < names.length
      ? Object.fromEntries(missing.map(name => [name, [`is missing, all or none of ${names.join(', ')} are given`]]))
      : undefined
  },
})

/** At least one of these must be given. */
export const atLeastOne = (...names: [string, string, ...string[]]): Rule => ({
  says: `at least one of ${names.join(', ')} must be given`,
  check: params =>
    names.some(name => params[name] !== undefined)
      ? undefined
      : { [names[0]]: [`is missing, at least one of ${names.join(', ')} must be given`] },
})

/** A text, if given, has at least `length` characters. */
export const atLeast = (name: string, length: number): Rule => ({
  says: `${name} has at least ${length} characters`,
  check(params) {
    const value = params[name]
    return typeof value === 'string' && value.length < length ? { [name]: [`is too short (minimum is ${length} characters)`] } : undefined
  },
})

/** The schema for checking a coerced value. A file, a list of them, or a file or null, is described as a string but is an `Upload`. */
const checked = (schema: TSchema): TSchema => {
  const { anyOf, items } = schema as { anyOf?: TSchema[]; items?: TSchema }
  if ((items as Shape | undefined)?.upload)
    return { ...schema, '~optional': optionalMark(schema), items: checked(items as TSchema) } as TSchema
  if (anyOf?.some(member => (member as Shape).upload))
    return { ...schema, '~optional': optionalMark(schema), anyOf: anyOf.map(checked) } as TSchema
  if (!(schema as Shape).upload) return schema
  const { format: _, ...rest } = schema as Shape & { format?: string }
  return { ...rest, '~optional': optionalMark(schema), type: 'object' } as TSchema
}

/** TypeBox's mark of an optional property, which a spread loses. */
const optionalMark = (schema: TSchema) => (schema as { '~optional'?: boolean })['~optional']

/** Reads the parameters of one endpoint. */
export class ParameterReader {
  readonly #properties: [string, Shape, Tier | undefined][]
  readonly #rules: readonly Rule[]
  readonly #schema: TSchema
  #validator: Validator | undefined

  constructor(properties: TProperties, rules: readonly Rule[]) {
    this.#properties = Object.entries(properties).map(([name, schema]) => [name, schema as Shape, tierOf(schema)])
    this.#rules = rules
    this.#schema = Type.Object(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, checked(schema)])))
  }

  /** The values under their declared names, whatever case they were sent in. */
  inDeclaredCase(wire: Wire): Wire {
    return inDeclaredCase(this.#schema as Shape, wire) as Wire
  }

  /**
   * Coerces and checks. A missing required parameter is reported alone (the first in declared order); all other errors are reported
   * together. Unknown parameters are ignored, and so are those above the instance's tier.
   */
  read(wire: Wire, tier: Tier): Record<string, unknown> {
    const params: Record<string, unknown> = {}
    for (const [name, shape, need] of this.#properties) {
      const raw = tierCovers(tier, need) ? wire[name] : undefined
      if (given(shape, raw)) params[name] = coerce(shape, raw)
      else if (shape.default !== undefined) params[name] = shape.default
      else if (!(shape as { '~optional'?: boolean })['~optional']) throw missing(name)
    }
    this.#validator ??= Compile(this.#schema)
    const failures: Failures = {}
    if (!this.#validator.Check(params)) collect(this.#schema as Shape, this.#validator.Errors(params) as TypeBoxError[], params, failures)
    reportUnstorable(params, '', failures)
    for (const rule of this.#rules) merge(failures, rule.check(params))
    if (Object.keys(failures).length > 0) throw invalid(failures)
    return params
  }
}

function merge(into: Failures, more: Failures | undefined): void {
  for (const [key, value] of Object.entries(more ?? {})) into[key] ??= value
}

/** PostgreSQL texts and git names can contain neither NUL nor half a surrogate pair, so no parameter may. */
function reportUnstorable(value: unknown, key: string, failures: Failures): void {
  if (typeof value === 'string' && !isStorable(value)) failures[key] ??= ['is invalid']
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) reportUnstorable(item, isTree(item) ? `${key}[${index}]` : key, failures)
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) {
      if (!isStorable(name)) failures[key || 'parameters'] ??= ['is invalid']
      else reportUnstorable(item, key === '' ? name : `${key}[${name}]`, failures)
    }
}

const isTree = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Can the database keep the text? */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

interface TypeBoxError {
  keyword: string
  instancePath: string
  schemaPath: string
  params: { limit?: number; requiredProperties?: string[] }
}

/** Converts schema errors to `{parameter: [messages]}`; a union gives one message. */
function collect(schema: Shape, errors: TypeBoxError[], params: Record<string, unknown>, failures: Failures): void {
  const unions = new Set(errors.filter(error => error.keyword === 'anyOf').map(error => error.schemaPath))
  for (const error of errors) {
    const insideUnion = [...unions].find(path => error.schemaPath.startsWith(`${path}/anyOf/`))
    if (insideUnion && !isLimit(error.keyword)) continue
    const path = error.instancePath.split('/').slice(1).map(unescapePointer)
    const names = error.keyword === 'required' ? (error.params.requiredProperties ?? []).map(name => [...path, name]) : [path]
    for (const name of names) {
      const key = bracketed(withoutEntry(schema, name))
      if (failures[key] !== undefined) continue
      const { message } = schemaAt(schema, path) ?? {}
      failures[key] = [message !== undefined && !isLength(error.keyword) ? message : wordsFor(error, valueAt(params, path))]
    }
  }
}

const isLimit = (keyword: string) => ['maxLength', 'minLength', 'minimum', 'maximum', 'maxItems', 'pattern', 'format'].includes(keyword)

/** Keywords with a better message of their own than a schema's message about the format. */
const isLength = (keyword: string) => ['maxLength', 'minLength'].includes(keyword)

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** `['actions', '0', 'file_path']` as `actions[0][file_path]`, the spelling of forms. */
const bracketed = ([first, ...rest]: string[]): string => [first, ...rest.map(part => `[${part}]`)].join('')

/** A path without the index of an entry at its end: what is wrong with an entry is wrong with the list, which is what the caller named. */
const withoutEntry = (schema: Shape, path: string[]): string[] =>
  path.length > 1 && schemaAt(schema, path.slice(0, -1))?.type === 'array' ? withoutEntry(schema, path.slice(0, -1)) : path

const valueAt = (value: unknown, path: string[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value)

function schemaAt(schema: Shape, path: string[]): Shape | undefined {
  return path.reduce<Shape | undefined>(
    (at, key) => at?.properties?.[key] ?? at?.items ?? Object.values(at?.patternProperties ?? {})[0],
    schema,
  )
}

function wordsFor(error: TypeBoxError, value: unknown): string {
  const { limit } = error.params
  switch (error.keyword) {
    case 'enum':
    case 'const':
    case 'anyOf':
      return 'does not have a valid value'
    case 'required':
      return 'is missing'
    case 'maxLength':
      return `is too long (maximum is ${limit} characters)`
    case 'minLength':
      return value === '' ? "can't be blank" : `is too short (minimum is ${limit} characters)`
    case 'minimum':
      return `must be greater than or equal to ${limit}`
    case 'maximum':
      return `must be less than or equal to ${limit}`
    case 'maxItems':
      return `is too long (maximum is ${limit} entries)`
    case 'minItems':
      return value !== undefined && (value as unknown[]).length === 0 ? "can't be blank" : `is too short (minimum is ${limit} entries)`
    default:
      return 'is invalid'
  }
}
