/** An index of a directory by file name: an array of numbers, since a map of a hundred thousand names would be larger than the names. */
import { randomInt } from 'node:crypto'
import { nameAt, nameLength, walk } from './directory.ts'
import { isNamed } from './names.ts'

export class NameIndex {
  readonly #bytes: Buffer
  /** Offsets of records plus 1; 0 for an empty slot. Open addressing: a lookup starts at the slot of the name's hash. */
  readonly #places: Uint32Array
  readonly #mask: number

  /** @throws UnfitZip */
  constructor(bytes: Buffer, count: number) {
    // A power of two, at most half full.
    const size = 2 ** Math.ceil(Math.log2(2 * count + 2))
    this.#bytes = bytes
    this.#mask = size - 1
    this.#places = new Uint32Array(size)
    let left = count
    walk(bytes, at => {
      // A directory with more records than it declares would fill the table.
      if (left-- <= 0) return true
      this.#add(at)
      return false
    })
  }

  /** In bytes. */
  get size(): number {
    return this.#places.byteLength
  }

  /**
   * The offset of the first record of this name; undefined for none.
   * @param exactly only names in UTF-8: no other costs more than one look
   */
  find(name: string, { exactly = false } = {}): number | undefined {
    const wanted = Buffer.from(name)
    const matches = isNamed(name)
    for (let place = hashOf(wanted, 0, wanted.length) & this.#mask; ; place = (place + 1) & this.#mask) {
      const at = (this.#places[place] as number) - 1
      if (at < 0) break
      if (matches(this.#bytes, at)) return at
    }
    // A name beyond ASCII may be encoded differently.
    return exactly || wanted.length === name.length ? undefined : walk(this.#bytes, at => matches(this.#bytes, at)).found
  }

  /** The first record of a name wins; a repeated name takes no slot. */
  #add(at: number): void {
    const start = nameAt(at)
    const end = start + nameLength(this.#bytes, at)
    let place = hashOf(this.#bytes, start, end) & this.#mask
    for (; ; place = (place + 1) & this.#mask) {
      const other = (this.#places[place] as number) - 1
      if (other < 0) break
      const otherStart = nameAt(other)
      if (this.#bytes.compare(this.#bytes, otherStart, otherStart + nameLength(this.#bytes, other), start, end) === 0) return
    }
    this.#places[place] = at + 1
  }
}

/** Random per process: nobody can craft names that all fall into one slot. */
const basis = randomInt(2 ** 32)

/** FNV-1a. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = basis
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  return hash >>> 0
}
