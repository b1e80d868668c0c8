/**
 * The API description as it is sent. It is megabytes of JSON that anybody may ask for, so it is made once for each version of the API, in
 * pieces, and kept compressed.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { type Encoding, encodingFor } from '../kernel/answer/encoding.ts'
import { runInSlices } from '../kernel/answer/time_slicing.ts'
import type { ByteAnswer, Endpoint } from '../kernel/declaration/endpoint.ts'
import { describing, type Examples } from '../kernel/openapi/openapi.ts'

/** The bytes by their encoding. */
type Encoded = Readonly<Record<Encoding, Buffer>> & { readonly etag: string }

/** Compressed once and sent often: worth some time, which is spent in Node's thread pool. */
const compressed = {
  gzip: (text: Buffer) => promisify(gzip)(text, { level: 9 }),
  br: (text: Buffer) => promisify(brotliCompress)(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }),
}

export class Descriptions {
  readonly #resources: () => Readonly<Record<string, readonly Endpoint[]>>
  readonly #made = new Map<string, Promise<Encoded>>()

  readonly #examples: () => Examples

  constructor(resources: () => Readonly<Record<string, readonly Endpoint[]>>, examples: () => Examples) {
    this.#resources = resources
    this.#examples = examples
  }

  /** The description of a version of the API, in an encoding that the client takes. */
  async answer(version: string, acceptEncoding: string | undefined): Promise<ByteAnswer> {
    const description = await this.#encoded(version)
    const encoding = encodingFor(acceptEncoding)
    return {
      body: description[encoding],
      etag: description.etag,
      headers: { vary: 'accept-encoding', ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }) },
    }
  }

  /** Made by the first request; all who ask in the meantime wait for the same. */
  #encoded(version: string): Promise<Encoded> {
    let made = this.#made.get(version)
    if (!made) {
      made = this.#make(version)
      this.#made.set(version, made)
      made.catch(() => this.#made.delete(version))
    }
    return made
  }

  async #make(version: string): Promise<Encoded> {
    const identity = Buffer.from(await runInSlices(write(describing(this.#resources(), { version, examples: this.#examples() }))))
    const [gzip, br] = await Promise.all([compressed.gzip(identity), compressed.br(identity)])
    // Weak: the encodings are different bytes of the same text.
    return { identity, gzip, br, etag: `W/"${createHash('sha1').update(identity).digest('base64url')}"` }
  }
}

/** The description as JSON, one path and one schema at a time. */
function* write(work: ReturnType<typeof describing>): Generator<void, string, void> {
  const { paths, components, ...head } = yield* work
  const { schemas, ...others } = components as { schemas: object }
  const open = (object: object) => JSON.stringify(object).slice(0, -1)
  const parts = [open(head), ',"paths":{']
  yield* members(paths as object, parts)
  parts.push('},"components":', open(others), ',"schemas":{')
  yield* members(schemas, parts)
  parts.push('}}}')
  return parts.join('')
}

function* members(object: object, parts: string[]): Generator<void, void, void> {
  let comma = ''
  for (const [name, value] of Object.entries(object)) {
    parts.push(`${comma}${JSON.stringify(name)}:`, JSON.stringify(value))
    comma = ','
    yield
  }
}
