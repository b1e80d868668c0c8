/** Values as `Marshal` of Ruby writes them (version 4.8 of the format), as far as the indexes of gems have them. */
import { breather } from '../../../../platform/kernel/answer/time_slicing.ts'

/** What Ruby has besides null, booleans, small integers, texts and lists. */
type Special =
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'hash'; readonly pairs: readonly (readonly [RubyValue, RubyValue])[] }
  /** An object by its instance variables. */
  | { readonly kind: 'object'; readonly of: string; readonly variables: Readonly<Record<string, RubyValue>> }
  /** An object whose class restores it from a value (`marshal_load`). */
  | { readonly kind: 'restored'; readonly of: string; readonly from: RubyValue }
  /** An object whose class loads it from bytes (`_load`). */
  | { readonly kind: 'loaded'; readonly of: string; readonly from: Buffer }

export type RubyValue = null | boolean | number | string | readonly RubyValue[] | Special

/** A symbol. */
export const symbol = (name: string): RubyValue => ({ kind: 'symbol', name })

/** The largest integer that is written in the short form on every machine. */
const LARGEST = 2 ** 30 - 1

/** The bytes that `Marshal.load` makes the value of. */
export function marshal(value: RubyValue): Buffer {
  const writer = new Writer()
  writer.value(value)
  return writer.bytes()
}

/** Bytes of a piece of a long list. */
const PIECE = 64 * 1024

/** The same bytes of a list whose values come one by one, in pieces: few values are in memory, and other requests are served in between. */
export async function marshalList(values: Iterable<RubyValue> | AsyncIterable<RubyValue>): Promise<Buffer[]> {
  const pause = breather()
  const pieces: Buffer[] = []
  const symbols = new Map<string, number>()
  let writer = new Writer([], symbols)
  let count = 0
  for await (const value of values) {
    await pause()
    writer.value(value)
    count += 1
    if (writer.length < PIECE) continue
    pieces.push(writer.bytes())
    writer = new Writer([], symbols)
  }
  const head = new Writer()
  head.beginList(count)
  return [head.bytes(), ...pieces, writer.bytes()]
}

const isList = (value: Special | readonly RubyValue[]): value is readonly RubyValue[] => Array.isArray(value)

/** The version of the format, with which it begins. */
const FORMAT = [4, 8]

class Writer {
  #bytes: Buffer
  #length: number
  /** The symbols that were written, which later ones refer to by their number. */
  readonly #symbols: Map<string, number>

  constructor(beginning: readonly number[] = FORMAT, symbols = new Map<string, number>()) {
    this.#bytes = Buffer.from(beginning)
    this.#length = beginning.length
    this.#symbols = symbols
  }

  get length(): number {
    return this.#length
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  value(value: RubyValue): void {
    if (value === null) this.#mark('0')
    else if (typeof value === 'boolean') this.#mark(value ? 'T' : 'F')
    else if (typeof value === 'number') this.#marked('i', value)
    else if (typeof value === 'string') this.#text(value)
    else if (isList(value)) this.#list(value)
    else this.#special(value)
  }

  beginList(length: number): void {
    this.#marked('[', length)
  }

  #list(values: readonly RubyValue[]): void {
    this.beginList(values.length)
    for (const value of values) this.value(value)
  }

  #special(value: Special): void {
    if (value.kind === 'symbol') this.#symbol(value.name)
    else if (value.kind === 'hash') {
      this.#marked('{', value.pairs.length)
      for (const pair of value.pairs) for (const part of pair) this.value(part)
    } else {
      this.#mark({ object: 'o', restored: 'U', loaded: 'u' }[value.kind])
      this.#symbol(value.of)
      if (value.kind === 'restored') this.value(value.from)
      else if (value.kind === 'loaded') this.#sized(value.from)
      else this.#variables(Object.entries(value.variables))
    }
  }

  /** A text with its encoding, which is UTF-8. */
  #text(text: string): void {
    const size = Buffer.byteLength(text)
    this.#mark('I"')
    this.#integer(size)
    this.#makeRoom(size)
    this.#length += this.#bytes.write(text, this.#length, 'utf8')
    this.#integer(1)
    this.#symbol('E')
    this.value(true)
  }

  #variables(variables: readonly (readonly [string, RubyValue])[]): void {
    this.#integer(variables.length)
    for (const [name, value] of variables) {
      this.#symbol(name)
      this.value(value)
    }
  }

  #symbol(name: string): void {
    const at = this.#symbols.get(name)
    if (at !== undefined) this.#marked(';', at)
    else {
      this.#symbols.set(name, this.#symbols.size)
      this.#mark(':')
      this.#sized(Buffer.from(name))
    }
  }

  #marked(mark: string, count: number): void {
    this.#mark(mark)
    this.#integer(count)
  }

  #mark(mark: string): void {
    this.#makeRoom(mark.length)
    this.#length += this.#bytes.write(mark, this.#length, 'latin1')
  }

  #sized(bytes: Buffer): void {
    this.#integer(bytes.length)
    this.#put(bytes)
  }

  /** Up to 122 in one byte, five above its value; else a byte for how many follow, the lowest first. */
  #integer(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value > LARGEST) throw new RangeError(`${value} is no integer that gems have`)
    if (value > 0 && value <= 122) {
      this.#makeRoom(1)
      this.#bytes[this.#length++] = value + 5
      return
    }
    const digits: number[] = []
    for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) digits.push(rest % 256)
    this.#put(Buffer.from([digits.length, ...digits]))
  }

  #put(bytes: Buffer): void {
    this.#makeRoom(bytes.length)
    bytes.copy(this.#bytes, this.#length)
    this.#length += bytes.length
  }

  #makeRoom(more: number): void {
    const end = this.#length + more
    if (end > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes.subarray(0, this.#length)], Math.max(2 * this.#bytes.length, end))
  }
}
