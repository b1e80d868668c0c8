/**
 * The vocabulary of parameters and answers on top of TypeBox: types that the wire knows and JSON Schema does not.
 */
import type { Static, TProperties, TSchema } from 'typebox'
import Type from 'typebox'
import type { Ability } from '../../access/abilities.ts'

/** The editions, lowest first (document 1 "Notation": [premium], [ultimate]). */
export const tiers = ['free', 'premium', 'ultimate'] as const
export type Tier = (typeof tiers)[number]

/** Does an instance of tier `have` carry what is marked `need`? */
export const tierCovers = (have: Tier, need: Tier | undefined): boolean => need === undefined || tiers.indexOf(have) >= tiers.indexOf(need)

/** A copy of a schema with TypeBox's hidden marks (`Optional` among them), which a spread would lose. */
const copyOf = <S extends TSchema>(schema: S): S => Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as S

/** Marks a field or parameter as [premium] or [ultimate]: below that tier it is not shown, and ignored when given. */
export function onTier<S extends TSchema>(tier: 'premium' | 'ultimate', schema: S): S {
  return Object.assign(copyOf(schema), { tier })
}

/** An ability that a parameter requires in addition to that of its endpoint, and what happens to it if the caller lacks that ability. */
export interface AbilityRequirement {
  readonly ability: Ability
  /** `refused`: 403. `ignored`: the value stays as it is, as where a parameter is unknown. */
  readonly otherwise: 'refused' | 'ignored'
}

/**
 * Marks a parameter that takes an ability of its own, about the same subject as that of its endpoint. The kernel asks for it where the parameter
 * is sent with another value than the thing has (`present` of the declaration).
 */
export function requiresAbility<S extends TSchema>(ability: Ability, schema: S, otherwise: AbilityRequirement['otherwise'] = 'refused'): S {
  return Object.assign(copyOf(schema), { takes: { ability, otherwise } satisfies AbilityRequirement })
}

/** The requirement that `requiresAbility` has set on a parameter. */
export const requirementOf = (schema: TSchema): AbilityRequirement | undefined => (schema as { takes?: AbilityRequirement }).takes

/** The tier that a schema is marked with. */
export const tierOf = (schema: TSchema): Tier | undefined => (schema as { tier?: Tier }).tier

/** JSON Schema keywords and our own annotations: `description`, `examples`, `deprecated` ... */
export type Options = Record<string, unknown>

/** A string. `about` says what it holds, for the API description. */
export const text = (about: string, options: Options = {}) => Type.String({ description: about, ...options })

/** A whole number; `about` names its unit. */
export const integer = (about: string, options: Options = {}) => Type.Integer({ description: about, ...options })

/** A number, whole or not; `about` names its unit. */
export const number = (about: string, options: Options = {}) => Type.Number({ description: about, ...options })

/** A boolean. */
export const flag = (about: string, options: Options = {}) => Type.Boolean({ description: about, ...options })

/** An ISO 8601 instant, e.g. `2021-06-01T12:00:00.000Z`. */
export const DateTime = (about: string, options: Options = {}) => Type.String({ format: 'date-time', description: about, ...options })

/** A calendar day, `YYYY-MM-DD`. */
export const Day = (about: string, options: Options = {}) => Type.String({ format: 'date', description: about, ...options })

/** A parameter that may be left out, or a field that is not always shown. */
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema)

/** A value or null; what the schema says of the value counts for both. */
export const Nullable = <S extends TSchema>(schema: S, options: Options = {}) => {
  const { description } = schema as { description?: string }
  return Type.Union([schema, Type.Null()], { ...(description !== undefined && { description }), ...options })
}

/** The schemas that `described` copied, by their copies. */
const originals = new WeakMap<TSchema, TSchema>()

/** The schema with a description of its own, for one that is used in several places. */
export function described<S extends TSchema>(about: string, schema: S): S {
  const copy = Object.assign(copyOf(schema), { description: about })
  originals.set(copy, originalOf(schema))
  return copy
}

/** The schema that `described` was given, or the schema itself. */
export const originalOf = (schema: TSchema): TSchema => originals.get(schema) ?? schema

/** One of a listed set of strings. */
export const OneOf = <const V extends readonly [string, ...string[]]>(values: V, options: Options = {}) =>
  Type.Unsafe<V[number]>({ enum: [...values], ...options })

/** An array that may also come as one string with commas (`labels=a,b`; clients.md 0.4). */
export const CommaList = <S extends TSchema>(items: S, options: Options = {}) => Type.Array(items, { ...options, commas: true })

/** A hash with free keys, `custom_attributes[key]=value`. */
export const Hash = (options: Options = {}) => Type.Record(Type.String(), Type.String(), options)

/** A file that came in a multipart body, kept in a temporary file until the request ends. */
export class Upload {
  /** Where the bytes are until the request ends. */
  readonly file: string
  /** The name that the client gave, last path segment only. */
  readonly filename: string
  readonly mimetype: string
  /** In bytes. */
  readonly size: number
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string

  constructor({ file, filename, mimetype, size, sha256 }: Upload) {
    this.file = file
    this.filename = filename
    this.mimetype = mimetype
    this.size = size
    this.sha256 = sha256
  }
}

/** A parameter that is a file in a multipart body. */
export const File = (options: Options = {}) => Type.Unsafe<Upload>({ type: 'string', format: 'binary', upload: true, ...options })

/** A parameter that is one file or more in a multipart body, under the same name. `file`: options of each. */
export const Files = (file: Options = {}, options: Options = {}) => Type.Array(File(file), { minItems: 1, ...options })

/** Does a parameter take files? */
export const takesFiles = (schema: TSchema | undefined): boolean => {
  const { upload, items, anyOf = [] } = (schema ?? {}) as { upload?: boolean; items?: TSchema; anyOf?: TSchema[] }
  return upload === true || (items as { upload?: boolean } | undefined)?.upload === true || anyOf.some(takesFiles)
}

/** What the parameters `P` become in `run`. */
export type ParamsOf<P extends TProperties> = Static<ReturnType<typeof Type.Object<P>>>
