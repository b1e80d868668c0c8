/** A stored object as an answer: whole or in part, with the headers that caches and resumed downloads need. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ObjectRow } from '../../object_store/rows.ts'
import type { ByteRange } from '../../object_store/store.ts'
import type { Context } from '../context.ts'
import type { ByteAnswer } from '../declaration/endpoint.ts'
import { Refusal } from '../errors.ts'

export interface ObjectAnswerOptions {
  /** Media type of the bytes; browsers are instructed not to guess another. */
  readonly mediaType: string
  /** A `Content-Disposition` (platform/kernel/answer/disposition.ts); none unless given. */
  readonly disposition?: string
  readonly headers?: Record<string, string>
}

/** Only what a document of this server's origin needs to show an image; scripts in an uploaded file never run. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox"

/** Bytes with random access. */
export interface RangedBytes {
  /** In bytes. */
  readonly size: number
  /** Changes whenever the bytes change. */
  readonly version: string
  read(range?: ByteRange): Promise<Readable>
}

/** Streams an object, as `rangedAnswer` does. Its version is its digest, so its ETag never changes. */
export const objectAnswer = (ctx: Context, { key, size, sha256 }: ObjectRow, options: ObjectAnswerOptions): Promise<ByteAnswer> =>
  rangedAnswer(ctx, { size, version: sha256, read: range => ctx.deps.objects.read(key, range) }, options)

/** The entity tag of a version. */
export const etagOf = (version: string): string => `"${createHash('sha1').update(version).digest('base64url')}"`

/**
 * Streams bytes: 206 if `Range` asks for one part of them (RFC 9110, 14), 416 if there is no such part. Requests for several parts or in
 * other units get the whole.
 */
export async function rangedAnswer(ctx: Context, bytes: RangedBytes, options: ObjectAnswerOptions): Promise<ByteAnswer> {
  const etag = etagOf(bytes.version)
  const range = rangeOf(ctx, bytes.size, etag)
  const { mediaType, disposition, headers } = options
  return {
    body: await bytes.read(range),
    etag,
    status: range ? 206 : 200,
    headers: {
      'content-type': mediaType,
      'content-length': String(range ? range.end - range.start + 1 : bytes.size),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': policy,
      ...(disposition === undefined ? {} : { 'content-disposition': disposition }),
      ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${bytes.size}` } : {}),
      ...headers,
    },
  }
}

/** The requested range; undefined for the whole. `etag` is undefined for bytes that change. @throws Refusal 416 if there is no such part */
export function rangeOf({ request }: Pick<Context, 'request'>, size: number, etag?: string): ByteRange | undefined {
  const { range, 'if-range': ifRange } = request.headers
  if (request.method !== 'GET' || range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  if (start >= size || (first === '' && Number(last) === 0))
    throw new Refusal('range_not_satisfiable', { message: '416 Range Not Satisfiable' }, { 'content-range': `bytes */${size}` })
  return { start, end }
}
