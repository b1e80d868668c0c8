/** What is known of bytes once they have passed. */
import { Transform, type TransformCallback } from 'node:stream'
import { Digest } from './digests/digest.ts'
import { countPassed } from './passed_buffers.ts'

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
  readonly #digest = new Digest()
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
    countPassed(chunk.length)
    if (this.#size > limit) done(new ObjectMismatch('limit'))
    else if (this.#size > size) done(new ObjectMismatch('size'))
    else this.#digest.update(chunk).then(() => done(null, chunk), done)
  }

  override _flush(done: TransformCallback): void {
    this.#check().then(() => done(), done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#digest.drop()
    done(error)
  }

  async #check(): Promise<void> {
    const { size = this.#size, sha256 } = this.#expected
    if (this.#size !== size) throw new ObjectMismatch('size')
    this.#sha256 = await this.#digest.finish()
    if (sha256 !== undefined && sha256 !== this.#sha256) throw new ObjectMismatch('sha256')
  }
}
