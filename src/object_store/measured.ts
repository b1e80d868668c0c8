/** What is known of bytes once they have passed. */
import { createHash } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'

/** Bytes that the store has. */
export interface StoredBytes {
  readonly key: string
  /** In bytes. */
  readonly size: number
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string
}

/** What is known of bytes before they come. */
export interface Expected {
  /** Exactly this many bytes. */
  readonly size?: number
  /** This many bytes at most. */
  readonly limit?: number
  /** Hex SHA-256. */
  readonly sha256?: string
}

/** The bytes are not those that were announced; none of them are kept. */
export class ObjectMismatch extends Error {
  override name = 'ObjectMismatch'
  readonly what: 'size' | 'limit' | 'sha256'

  constructor(what: ObjectMismatch['what']) {
    super(`the bytes are not as announced: ${what}`)
    this.what = what
  }
}

/** Lets bytes pass, counts and hashes them, and fails before its end where they are not as expected. */
export class Measured extends Transform {
  readonly #hash = createHash('sha256')
  readonly #expected: Expected
  #size = 0
  #sha256 = ''

  constructor(expected: Expected = {}) {
    super()
    this.#expected = expected
  }

  /** What has passed; only once all of it has. Not a property `size`, which the S3 SDK would take for what is to come. */
  total(): { readonly size: number; readonly sha256: string } {
    return { size: this.#size, sha256: this.#sha256 }
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const { size = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = this.#expected
    this.#size += chunk.length
    this.#hash.update(chunk)
    if (this.#size > limit) done(new ObjectMismatch('limit'))
    else if (this.#size > size) done(new ObjectMismatch('size'))
    else done(null, chunk)
  }

  override _flush(done: TransformCallback): void {
    const { size = this.#size, sha256 } = this.#expected
    this.#sha256 = this.#hash.digest('hex')
    if (this.#size !== size) done(new ObjectMismatch('size'))
    else if (sha256 !== undefined && sha256 !== this.#sha256) done(new ObjectMismatch('sha256'))
    else done()
  }
}
