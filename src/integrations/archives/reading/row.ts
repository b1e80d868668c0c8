/** An object of an archive, whose fields may be anything: each is read as what it has to be, or the archive is refused. */
import { HIGHEST_CHOSEN_IID } from '../../../spaces/places/iids.ts'
import { ArchiveRefused } from './refused.ts'

/** Most rows inside of one row: notes of an issue, commits of a version. */
const MOST_ROWS = 200_000

/** Most characters of a text, as of a note. */
const LONGEST = 1_048_576

const LARGEST = 2_147_483_647

export class Row {
  readonly #value: Readonly<Record<string, unknown>>
  /** The part of the archive, for messages. */
  readonly relation: string
  /** Bytes of its line in the archive; 0 for what is inside of another row. */
  readonly bytes: number

  private constructor(value: Readonly<Record<string, unknown>>, relation: string, bytes: number) {
    this.#value = value
    this.relation = relation
    this.bytes = bytes
  }

  /** @throws ArchiveRefused for a value that is no object */
  static of(value: unknown, relation: string, bytes = 0): Row {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ArchiveRefused(`${relation} has a line that is no object`, relation)
    return new Row(value as Record<string, unknown>, relation, bytes)
  }

  #wrong(name: string, what: string): ArchiveRefused {
    return new ArchiveRefused(`${this.relation}: ${name} ${what}`, this.relation)
  }

  #read(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined
  }

  /** The value as it is, for what has rules of its own. */
  raw(name: string): unknown {
    return this.#read(name)
  }

  /** A text; undefined where there is none. Most characters: those of a note. */
  maybeText(name: string, most = LONGEST): string | undefined {
    const value = this.#read(name)
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'string' || value.includes('\0')) throw this.#wrong(name, 'is not a text')
    if (value.length > most) throw this.#wrong(name, `is longer than ${most} characters`)
    return value.toWellFormed()
  }

  /** A text that is there. */
  text(name: string, most?: number): string {
    const value = this.maybeText(name, most)
    if (value === undefined) throw this.#wrong(name, 'is missing')
    return value
  }

  /** A whole number; undefined where there is none. A text of digits is one, too. */
  maybeInteger(name: string, { min = 0, max = LARGEST }: { readonly min?: number; readonly max?: number } = {}): number | undefined {
    const value = this.#read(name)
    if (value === undefined || value === null) return undefined
    const number = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value
    if (typeof number !== 'number' || !Number.isInteger(number)) throw this.#wrong(name, 'is not a whole number')
    if (number < min || number > max) throw this.#wrong(name, `is not between ${min} and ${max}`)
    return number
  }

  /** A whole number that is there. */
  integer(name: string, limits?: { readonly min?: number; readonly max?: number }): number {
    const value = this.maybeInteger(name, limits)
    if (value === undefined) throw this.#wrong(name, 'is missing')
    return value
  }

  /** The number of an item in its place; undefined where there is none. */
  maybeIid(name = 'iid'): number | undefined {
    return this.maybeInteger(name, { min: 1, max: HIGHEST_CHOSEN_IID })
  }

  /** The number of an item in its place, which is there. */
  iid(name = 'iid'): number {
    return this.integer(name, { min: 1, max: HIGHEST_CHOSEN_IID })
  }

  /** An id in the archive: a key of its other rows, and nothing else. */
  maybeId(name: string): number | undefined {
    return this.maybeInteger(name, { max: Number.MAX_SAFE_INTEGER })
  }

  /** A boolean; undefined where there is none. */
  maybeFlag(name: string): boolean | undefined {
    const value = this.#read(name)
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'boolean') throw this.#wrong(name, 'is not true or false')
    return value
  }

  flag(name: string): boolean {
    return this.maybeFlag(name) ?? false
  }

  /** An instant in the form of the database; undefined where there is none. */
  maybeInstant(name: string): string | undefined {
    const text = this.maybeText(name, 64)
    if (text === undefined) return undefined
    const time = /^\d{4}-\d{2}-\d{2}[T ]/.test(text) ? Date.parse(text.replace(' UTC', 'Z')) : Number.NaN
    if (Number.isNaN(time)) throw this.#wrong(name, 'is not a time')
    return new Date(time).toISOString()
  }

  /** A calendar day; undefined where there is none. */
  maybeDay(name: string): string | undefined {
    const text = this.maybeText(name, 64)
    if (text === undefined) return undefined
    const day = text.slice(0, 10)
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day)
      throw this.#wrong(name, 'is not a day')
    return day
  }

  /** One of the listed values; others, and none, are the first one. */
  oneOf<const V extends readonly [string, ...string[]]>(name: string, values: V): V[number] {
    const value = this.maybeText(name, 255)
    return value !== undefined && values.includes(value) ? value : values[0]
  }

  /** The rows inside; none where the field is missing. */
  rows(name: string): Row[] {
    const value = this.#read(name)
    if (value === undefined || value === null) return []
    if (!Array.isArray(value)) throw this.#wrong(name, 'is not a list')
    if (value.length > MOST_ROWS) throw this.#wrong(name, `has more than ${MOST_ROWS} rows`)
    return value.map(each => Row.of(each, this.relation))
  }

  /** The row inside; undefined where there is none. */
  row(name: string): Row | undefined {
    const value = this.#read(name)
    return value === undefined || value === null ? undefined : Row.of(value, this.relation)
  }

  /** The id of a commit; undefined where there is none. */
  maybeCommit(name: string): string | undefined {
    const text = this.maybeText(name, 64)
    return text !== undefined && /^[0-9a-f]{40}$/.test(text) && !/^0+$/.test(text) ? text : undefined
  }
}
