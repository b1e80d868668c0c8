/**
 * Parses bytes to nested values: query strings, urlencoded, multipart and JSON bodies (document 1 "Request conventions" 1 to 3; clients.md
 * section 0). No schema is known here: texts stay texts until params.ts reads them.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { basename, join } from 'node:path'
import { finished, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { JsonTooComplex, parseJson } from '../../bounded_json.ts'
import { Upload } from '../declaration/types.ts'
import { badRequest, Refusal, tooLarge, unsupportedMediaType, uriTooLong } from '../errors.ts'

/** A nested value as it was sent; the keys are the client's. */
export type Wire = { [key: string]: WireValue }
export type WireValue = unknown

/** The values of a plain key that was sent more than once (`a=1&a=2`): a list if the schema wants one, else the last wins. */
export class Repeated {
  readonly values: WireValue[]
  constructor(values: WireValue[]) {
    this.values = values
  }
}

/**
 * Limits that keep a hostile query, form or JSON cheap: keys of a form, values of a JSON body and keys of one object in it, levels of either. An
 * object of very many keys is a hash table, and each copy of it takes as long as reading it.
 */
const limits = { keys: 10_000, values: 100_000, keysOfObject: 2_000, depth: 16 }

const emptyWire = (): Wire => Object.create(null) as Wire

/** Decodes `%41`, `+` and UTF-8; malformed escapes are a 400. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw badRequest('malformed percent-encoding')
  }
}

/** `a[b][]` as `['a', 'b', '']`; a key whose brackets do not match is one plain key. */
function pathOf(key: string): string[] {
  const open = key.indexOf('[')
  if (open <= 0 || !key.endsWith(']')) return [key]
  const parts = key.slice(open + 1, -1).split('][')
  return [key.slice(0, open), ...parts]
}

/**
 * Puts one pair into `target` according to the nesting of form encodings: `a[]=1` appends, `a[k]=1` sets a key, and `a[][k]=1` fills the
 * last hash of the list until a key repeats, which begins the next one.
 */
export function assign(target: Wire, key: string, value: WireValue): void {
  const path = pathOf(key)
  if (path.length > limits.depth) throw badRequest('parameters are nested too deeply')
  place(target, path, 0, value)
}

function place(into: Wire, path: string[], at: number, value: WireValue): void {
  const key = path[at] as string
  const rest = path.length - at - 1
  const present = into[key]
  if (rest === 0) {
    if (present === undefined) into[key] = value
    else if (present instanceof Repeated) present.values.push(value)
    else into[key] = new Repeated([present, value])
    return
  }
  if (path[at + 1] === '') {
    if (present !== undefined && !Array.isArray(present)) throw badRequest(`"${key}" is given in two forms`)
    const list = (present as WireValue[] | undefined) ?? []
    into[key] = list
    if (rest === 1) {
      list.push(value)
      return
    }
    const last = list.at(-1)
    const current = isHash(last) && !holds(last, path, at + 2) ? last : emptyWire()
    if (current !== last) list.push(current)
    place(current, path, at + 2, value)
    return
  }
  if (present !== undefined && !isHash(present)) throw badRequest(`"${key}" is given in two forms`)
  const hash = (present as Wire | undefined) ?? emptyWire()
  into[key] = hash
  place(hash, path, at + 1, value)
}

/** Is there already a value at the rest of the path? Lists always accept another. */
function holds(hash: Wire, path: string[], at: number): boolean {
  const inner = hash[path[at] as string]
  if (path.length === at + 1) return inner !== undefined
  return path[at + 1] !== '' && isHash(inner) && holds(inner, path, at + 1)
}

const isHash = (value: WireValue): value is Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Repeated) && !(value instanceof Upload)

/** Reads a query string or an urlencoded body. */
export function decodeForm(text: string): Wire {
  const result = emptyWire()
  if (text === '') return result
  const pairs = text.split('&')
  if (pairs.length > limits.keys) throw badRequest('too many parameters')
  for (const pair of pairs) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const key = decode(equals === -1 ? pair : pair.slice(0, equals))
    assign(result, key, equals === -1 ? '' : decode(pair.slice(equals + 1)))
  }
  return result
}

/** Longest query string in bytes (decision 16). */
const MAX_QUERY = 64 * 1024

const problem = Symbol('problem')

/**
 * Reads the query string of a request. Fastify calls it before any hook can answer, where a throw would end the process: the error is kept
 * in the result for `assertReadable`.
 */
export function decodeQuery(text: string): Wire {
  try {
    if (text.length > MAX_QUERY) throw uriTooLong()
    return decodeForm(text)
  } catch (error) {
    return Object.assign(emptyWire(), { [problem]: error })
  }
}

/** Throws the error that `decodeQuery` found. */
export function assertReadable(query: unknown): void {
  const found = (query as { [problem]?: unknown })[problem]
  if (found !== undefined) throw found
}

/** Where uploads are stored, and the limit of a body in bytes. */
export interface BodyOptions {
  readonly limit: number
  readonly uploadDirectory: string
}

/** A body that has been read. `discard` removes the temporary files of its uploads. */
export interface Body {
  readonly values: Wire
  discard(): Promise<void>
}

const nothingToDiscard = async () => {}

/**
 * Reads the body of a request by its content type. A missing or empty body of any type has no parameters: python-gitlab sends a JSON
 * content type on every GET and DELETE (clients.md 0.1).
 */
export async function readBody(headers: IncomingHttpHeaders, stream: Readable, options: BodyOptions): Promise<Body> {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  try {
    if (type === 'multipart/form-data') return await readMultipart(headers, stream, options)
    return { values: decodeBody(type, await readBounded(stream, options.limit)), discard: nothingToDiscard }
  } catch (error) {
    // The rest is read and discarded: a client that is still sending would see a broken connection instead of the answer.
    stream.resume()
    throw error
  }
}

function decodeBody(type: string, bytes: Buffer): Wire {
  if (bytes.length === 0) return emptyWire()
  if (type === 'application/json' || type.endsWith('+json')) return decodeJson(bytes)
  if (type === 'application/x-www-form-urlencoded') return decodeForm(bytes.toString('utf8'))
  throw unsupportedMediaType(type)
}

/** Collects a stream of at most `limit` bytes; more is a 413. The rest is left in the stream. */
async function readBounded(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      chunks.push(chunk)
    }
  } catch (error) {
    throw isClientGone(error) ? badRequest('the body ended early') : error
  }
  return Buffer.concat(chunks, size)
}

/**
 * Collects the body of an endpoint that takes it raw. What comes after the limit is read and dropped, so that the client sees the answer.
 * @throws Refusal 413 for one of more than `limit` bytes, 400 for one that ends early
 */
export async function readRawBody(body: Readable, limit: number): Promise<Buffer> {
  try {
    return await readBounded(body, limit)
  } catch (error) {
    body.resume()
    throw error
  }
}

/** Did the client disconnect? That is no server error. */
export const isClientGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ECONNRESET'

/**
 * Does something when the client goes away before its body has ended. It may have gone already, before a handler was there: then no error comes any
 * more, and who waits for the body would wait for ever.
 */
export function whenBrokenOff(body: NodeJS.ReadableStream, then: (error: Error) => void): void {
  finished(body, { writable: false }, error => {
    if (error) then(error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? Object.assign(new Error('aborted'), { code: 'ECONNRESET' }) : error)
  })
}

function decodeJson(bytes: Buffer): Wire {
  const text = bytes.toString('utf8')
  if (text.trim() === '') return emptyWire()
  let value: unknown
  try {
    value = parseJson(text, { depth: limits.depth, values: limits.values, keys: limits.keysOfObject })
  } catch (error) {
    if (!(error instanceof JsonTooComplex)) throw badRequest('the body is not valid JSON')
    throw badRequest(error.what === 'depth' ? 'parameters are nested too deeply' : 'too many parameters')
  }
  if (!isHash(value)) throw badRequest('the body must be a JSON object')
  return Object.assign(emptyWire(), value)
}

async function readMultipart(headers: IncomingHttpHeaders, stream: Readable, options: BodyOptions): Promise<Body> {
  const values = emptyWire()
  const files: string[] = []
  const discard = async () => {
    await Promise.all(files.map(file => rm(file, { force: true })))
  }
  // Before the parser runs: a part needs its listener immediately, since it may fail in the next tick.
  await mkdir(options.uploadDirectory, { recursive: true, mode: 0o700 })
  const parts: Readable[] = []
  const writes: Promise<void>[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const parser = new Busboy({
        headers: headers as { 'content-type': string },
        // The whole body is limited, so no field can reach the limit it has here.
        limits: { fieldSize: options.limit + 1, fields: limits.keys, files: 20, parts: limits.keys, fieldNameSize: 1_000 },
      })
      parser.on('field', (name, value, nameCut) => {
        if (nameCut) return parser.destroy(badRequest('the name of a parameter is too long'))
        try {
          assign(values, name, value)
        } catch (error) {
          parser.destroy(error as Error)
        }
      })
      parser.on('file', (name, part, filename, _encoding, mimetype) => {
        const file = join(options.uploadDirectory, randomUUID())
        files.push(file)
        parts.push(part)
        const write = keep(part, file).then(({ size, sha256 }) =>
          assign(values, name, new Upload({ file, filename: basename(filename ?? ''), mimetype, size, sha256 })),
        )
        // A parser that has had the whole body has ended by itself, and says no error any more.
        write.catch(error => {
          reject(error)
          parser.destroy(error)
        })
        writes.push(write)
      })
      parser.on('filesLimit', () => parser.destroy(badRequest('too many files')))
      parser.on('fieldsLimit', () => parser.destroy(badRequest('too many parameters')))
      parser.on('finish', () => Promise.all(writes).then(() => resolve(), reject))
      parser.on('error', reject)
      whenBrokenOff(stream, reject)
      stream.pipe(bounded(options.limit).on('error', reject)).pipe(parser)
    })
  } catch (error) {
    // A part without an end would keep its file open for ever.
    for (const part of parts) part.destroy()
    await Promise.allSettled(writes)
    await discard()
    if (isClientGone(error)) throw badRequest('the body ended early')
    // Refusals, and system errors such as a full disk; the remaining ones come from the parser.
    if (error instanceof Refusal || (error as NodeJS.ErrnoException).code !== undefined) throw error
    throw badRequest('the multipart body is malformed')
  }
  return { values, discard }
}

/** Passes `limit` bytes; more is a 413. */
function bounded(limit: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > limit) done(tooLarge(limit))
      else done(null, chunk)
    },
  })
}

/** Streams a part to a temporary file and hashes it. */
async function keep(part: Readable, file: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(part, measure, createWriteStream(file, { mode: 0o600 }))
  return { size, sha256: hash.digest('hex') }
}
