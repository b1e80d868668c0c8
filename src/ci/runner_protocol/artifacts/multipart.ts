/**
 * Streams one file of a multipart body. Other bodies are buffered on disk (platform/kernel/request/wire.ts); an archive of a
 * job goes straight into the object store, so that it is written once.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { badRequest } from '../../../platform/kernel/errors.ts'
import { isClientGone, whenBrokenOff } from '../../../platform/kernel/request/wire.ts'

/** A file that is being received. */
export interface IncomingFile {
  /** The name that the client gave, last path segment only. */
  readonly filename: string
  readonly bytes: Readable
  /** The plain fields before the file. */
  readonly fields: Readonly<Record<string, string>>
  /** Resolves when the whole body has arrived and is valid: the file counts only then. */
  readonly complete: Promise<void>
}

type Parser = InstanceType<typeof Busboy>

/** What a body may have. */
export interface ExpectedForm {
  /** The field that has the file. */
  readonly name: string
  /** The number of plain fields. */
  readonly fields: number
  /** Bytes of each of them. */
  readonly fieldSize: number
  /** Characters of all of them, which are kept until the body has ended. Default: as many as there are fields of that size. */
  readonly together?: number
}

/** A file with a type, an expiry and a token. */
const artifact: ExpectedForm = { name: 'file', fields: 20, fieldSize: 4_096 }

/**
 * Reads a multipart body with one file. After an error, the rest of the body is read and discarded: a client that is still
 * sending would see a broken connection instead of the answer.
 * @throws Refusal 400 for any other body; any error of `take`
 */
export async function receiveFile(
  headers: IncomingHttpHeaders,
  body: Readable,
  take: (file: IncomingFile) => Promise<void>,
  expected: ExpectedForm = artifact,
): Promise<void> {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  try {
    if (type !== 'multipart/form-data') throw badRequest('the body must be multipart/form-data')
    await parse(parserFor(headers, expected), body, take, expected)
  } catch (error) {
    body.resume()
    throw error
  }
}

/** Resolves when `take` is done and the body has ended. */
async function parse(
  parser: Parser,
  body: Readable,
  take: (file: IncomingFile) => Promise<void>,
  { name: expected, together = Number.POSITIVE_INFINITY }: ExpectedForm,
): Promise<void> {
  const complete = Promise.withResolvers<void>()
  const fields: Record<string, string> = {}
  let file: Readable | undefined
  let taken: Promise<void> | undefined
  const fail = (error: Error) => {
    body.unpipe(parser)
    complete.reject(error)
    file?.destroy(error)
  }
  let length = 0
  parser.on('field', (name, value) => {
    length += name.length + value.length
    if (length > together) return fail(badRequest('the fields of the body are too long together'))
    fields[name] = value
  })
  parser.on('file', (name, bytes, filename) => {
    file = bytes
    // The reader of the stream gets the error; this handler only keeps it from ending the process.
    bytes.on('error', () => {})
    if (name !== expected) return fail(badRequest(`there is a file "${name}", and none but "${expected}" is expected`))
    taken = take({ filename: basename(filename ?? ''), bytes, fields, complete: complete.promise })
    // If the parser has aborted the file, its error follows in the next tick: that is the actual reason.
    taken.catch(error => setImmediate(() => fail(error)))
  })
  for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
    parser.on(event, () => fail(badRequest('the body has too many parts')))
  parser.on('finish', () => complete.resolve())
  parser.on('error', () => fail(badRequest('the multipart body is malformed')))
  whenBrokenOff(body, error => fail(isClientGone(error) ? badRequest('the body ended early') : error))
  body.pipe(parser)
  try {
    await complete.promise
  } catch (error) {
    // Its cleanup runs first, so that nothing is left.
    await taken?.catch(() => {})
    throw error
  }
  if (!taken) throw badRequest(`the body has no "${expected}"`)
  await taken
}

/** @throws Refusal 400 for a body without a boundary */
function parserFor(headers: IncomingHttpHeaders, { fields, fieldSize }: ExpectedForm): Parser {
  const limits = { files: 1, fields, parts: fields + 1, fieldSize, fieldNameSize: 100 }
  try {
    return new Busboy({ headers: headers as { 'content-type': string }, limits })
  } catch {
    throw badRequest('the multipart body is malformed')
  }
}
