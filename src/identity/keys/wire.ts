/** The format of SSH's keys, signatures and certificates: fields with their length before them (RFC 4251 section 5). Pure. */

/** The bytes are not of the format. */
export class Malformed extends Error {}

/** Reads the fields of the format one after the other. */
export class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get at(): number {
    return this.#at
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new Malformed()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  number(): number {
    return this.take(4).readUInt32BE()
  }

  long(): bigint {
    return this.take(8).readBigUInt64BE()
  }

  bytes(): Buffer {
    return this.take(this.number())
  }

  /** UTF-8 without control characters. */
  text(): string {
    const bytes = this.bytes()
    const text = bytes.toString('utf8')
    if (!Buffer.from(text).equals(bytes) || /\p{Cc}/u.test(text)) throw new Malformed()
    return text
  }
}

/** A field: its length, and its bytes. */
export const fieldOf = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
