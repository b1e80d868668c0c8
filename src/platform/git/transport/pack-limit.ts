/** What the pack of a push may take on disk, measured while its bytes come. */

/** A pack, as far as it has come. */
export interface PackSize {
  /** Of the pack itself. */
  readonly bytes: number
  /** Bytes of the indexes that git writes beside it, for as many objects as its header names; 0 before the header has come. */
  readonly indexBytes: number
}

/** What the pack of a push may have. */
export interface PackLimit {
  /**
   * Must the pack hold every object that another one in it is built on? git stores what a thin pack leans on again, so that a few bytes would take as
   * much room as the repository does.
   */
  readonly refusesThin: boolean
  /**
   * The line for a pack of this size, where it is too large. Asked again and again while it comes, so that several pushes may share what is left, and
   * not again once it is refused.
   */
  refusalOf(size: PackSize): Promise<string | undefined>
  /** Called once, when git has ended: what it has kept is on disk. */
  end(): Promise<void>
}

/** The line for a pack that git could not take where thin ones are refused. git does not tell by a code which of the two reasons it was. */
export const wholePackLine =
  'The pack is damaged, or leans on objects that it does not hold: where a project has a size limit, push with --no-thin.'

/** Bytes of a pack without objects, which a push of what is there already brings. */
const EMPTY_PACK = 32

/** Bytes of `PACK`, the version and the number of objects. */
const HEADER = 12

/** Bytes that an index and a reverse index have in any case, and most bytes that each object takes in both. */
const INDEX = { fixed: 1_200, perObject: 40 } as const

/** Measures one pack against its limit. */
export class PackMeter {
  readonly limit: PackLimit
  #refusal: string | undefined
  #bytes = 0
  #header: Buffer<ArrayBufferLike> = Buffer.alloc(0)

  constructor(limit: PackLimit) {
    this.limit = limit
  }

  /** The line, once more has come than the limit allows. */
  get refusal(): string | undefined {
    return this.#refusal
  }

  /** Counts the next bytes of the pack, which git may have once this resolves without a refusal. */
  async count(chunk: Buffer): Promise<void> {
    if (this.#header.length < HEADER) this.#header = Buffer.concat([this.#header, chunk.subarray(0, HEADER - this.#header.length)])
    this.#bytes += chunk.length
    if (this.#refusal !== undefined || this.#bytes <= EMPTY_PACK) return
    this.#refusal = await this.limit.refusalOf({ bytes: this.#bytes, indexBytes: this.#indexBytes() })
  }

  #indexBytes(): number {
    return this.#header.length < HEADER ? 0 : INDEX.fixed + INDEX.perObject * this.#header.readUInt32BE(8)
  }
}
