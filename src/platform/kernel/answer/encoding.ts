/** Content codings of answers that are kept compressed (RFC 9110 section 12.5.3). */

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

/** The best coding that an `Accept-Encoding` header takes; of equal ones the smallest. Where it takes none of ours, the bytes as they are. */
export function encodingFor(header: string | undefined): Encoding {
  const wanted = new Map<string, number>()
  for (const part of (header ?? '').split(',').slice(0, 20)) {
    const [name = '', ...parameters] = part.split(';').map(piece => piece.trim().toLowerCase())
    const [, weight] = /^q=([01](?:\.\d{0,3})?)$/.exec(parameters.find(parameter => parameter.startsWith('q=')) ?? '') ?? []
    wanted.set(name, weight === undefined ? 1 : Number(weight))
  }
  const weightOf = (encoding: Encoding) => wanted.get(encoding) ?? wanted.get('*') ?? 0
  const [best] = (['br', 'gzip'] as const).filter(encoding => weightOf(encoding) > 0).sort((one, other) => weightOf(other) - weightOf(one))
  return best !== undefined && weightOf(best) >= (wanted.get('identity') ?? 0) ? best : 'identity'
}

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const

/** Below so many bytes compressing saves no packet. */
const WORTHWHILE = 1_400

/** Fast rather than small: a page is made once, and a third of a millisecond takes nine tenths of it off. */
const QUALITY = 3

const ofOneAnswer = new WeakSet<Buffer>()

/**
 * Says of bytes that were made for one answer that nothing else holds them: their memory is given back when they are compressed. V8 counts it beside the
 * heap, and its collector of young objects does not free it: after some fifty pages of half a megabyte V8 marked the whole heap.
 */
export function forOneAnswer(bytes: Buffer): Buffer {
  ofOneAnswer.add(bytes)
  return bytes
}

function giveBack(bytes: Buffer): void {
  const { buffer } = bytes
  // Few bytes are a part of memory that others have, too.
  if (ofOneAnswer.has(bytes) && buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length) buffer.transfer(0)
}

/** Bytes as a client takes them, with the headers that say so. On a thread of the pool. */
export async function encodedFor(
  accepted: string | undefined,
  bytes: Buffer,
): Promise<{ readonly body: Buffer; readonly headers: Readonly<Record<string, string>> }> {
  const headers = { vary: 'accept-encoding' }
  const encoding = bytes.length < WORTHWHILE ? 'identity' : encodingFor(accepted)
  if (encoding === 'identity') return { body: bytes, headers }
  const body =
    encoding === 'gzip'
      ? await compress.gzip(bytes, { level: QUALITY })
      : await compress.br(bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: QUALITY,
            [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          },
        })
  giveBack(bytes)
  return { body, headers: { ...headers, 'content-encoding': encoding } }
}
