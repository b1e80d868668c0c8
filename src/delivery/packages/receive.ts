/** The bytes of a file on their way into the object store. */
import { createHash, type Hash } from 'node:crypto'
import { type Readable, Transform, type TransformCallback } from 'node:stream'
import { type ExpectedForm, receiveFile as receiveFormFile } from '../../ci/runner_protocol/artifacts/multipart.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest } from '../../platform/kernel/errors.ts'
import { isClientGone, whenBrokenOff } from '../../platform/kernel/request/wire.ts'
import { ObjectMismatch, type StoredBytes } from '../../platform/object_store/measured.ts'
import type { Stored } from '../../spaces/projects/repository/store.ts'
import { withRoomForArriving } from '../../spaces/storage_limits/arriving.ts'
import { withRoomForFile } from '../../spaces/storage_limits/limits.ts'
import { unlessRefused } from '../../spaces/storage_limits/refused.ts'
import { fileLimitOf, type ReceivedType } from './types.ts'

/** Digests besides the SHA-256 that the store makes of everything. */
export type ExtraDigest = 'md5' | 'sha1' | 'sha512'

/** Bytes that are in the store, and named by no row yet. */
export interface Received extends StoredBytes {
  /** Hexadecimal. */
  readonly digests: { readonly [name in ExtraDigest]?: string }
}

/** What is known of a file before its bytes come. */
export interface Announced {
  readonly type: ReceivedType
  /** In bytes; undefined where the client does not say it. */
  readonly size?: number | undefined
  /** Digests to make of it. */
  readonly digests?: readonly ExtraDigest[]
  /** The SHA-256 that the client says, hexadecimal. */
  readonly sha256?: string | undefined
  /** Refuses what may not come; no byte is read before. */
  readonly assertAllowed?: (() => Promise<void>) | undefined
  /** What refuses a file by its beginning, where nothing else says what it is; undefined where nothing would. */
  readonly admission?: (() => Promise<Admission | undefined>) | undefined
}

/** Refuses a file by its beginning, before the rest of it is read. */
export type Admission = (beginning: Buffer) => Promise<void>

/** Bytes of that beginning: archives of packages say first what they are. */
const BEGINNING = 256 * 1024

const tooLargeFile = () => badRequest('File is too large')

/** Lets bytes pass and makes digests of them; the beginning waits until it is admitted. */
class Digesting extends Transform {
  readonly #hashes: readonly (readonly [ExtraDigest, Hash])[]
  readonly #admit: Admission | undefined
  /** What waits. */
  #held: Buffer[] = []
  #heldBytes = 0
  #isAdmitted: boolean

  constructor(names: readonly ExtraDigest[], admit: Admission | undefined) {
    super()
    this.#hashes = names.map(name => [name, createHash(name)])
    this.#admit = admit
    this.#isAdmitted = admit === undefined
  }

  /** The digests; only once all bytes have passed. */
  digests(): Received['digests'] {
    return Object.fromEntries(this.#hashes.map(([name, hash]) => [name, hash.digest('hex')]))
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (const [, hash] of this.#hashes) hash.update(chunk)
    if (this.#isAdmitted) done(null, chunk)
    else this.#hold(chunk, done)
  }

  override _flush(done: TransformCallback): void {
    if (this.#isAdmitted) done()
    else this.#release(done)
  }

  #hold(chunk: Buffer, done: TransformCallback): void {
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#heldBytes < BEGINNING) done()
    else this.#release(done)
  }

  /** Lets what waits pass, and all that follows, unless it is refused. */
  #release(done: TransformCallback): void {
    const beginning = Buffer.concat(this.#held)
    this.#held = []
    this.#isAdmitted = true
    this.#admit?.(beginning).then(() => done(null, beginning), done)
  }
}

/**
 * Receives a file of a package, at constant memory, and does `work` with what has come, which names it in a row and gives the room of the project
 * back by `counted`, in the transaction of that row. A file whose size is not announced takes its room while it comes.
 * @throws Refusal 400 for a file that is too large, is not the one announced, or ends early; 413 where the project has no room; nothing is kept
 */
export async function receiveFile<T>(
  ctx: Context,
  project: Stored,
  source: Readable,
  announced: Announced,
  work: (received: Received, counted: (db: Db) => Promise<void>) => Promise<T>,
): Promise<T> {
  // It may fail before anything reads it; an error that nobody listens to would end the server.
  source.on('error', () => {})
  await announced.assertAllowed?.()
  const limit = await fileLimitOf(ctx.deps.database.db, announced.type)
  const { size } = announced
  if (size !== undefined && limit !== undefined && size > limit) throw tooLargeFile()
  const admit = await announced.admission?.()
  const keep = async (bytes: Readable, counted: (db: Db) => Promise<void>) => {
    const received = await storeBytes(ctx, bytes, { ...announced, limit, admit })
    return unlessRefused(ctx.deps, received, () => work(received, counted))
  }
  return size === undefined
    ? withRoomForArriving(ctx.deps, project, source, keep)
    : withRoomForFile(ctx.deps, project, { bytes: size }, counted => keep(source, counted))
}

/** A multipart form with a file, of which all has come. */
export interface ReceivedForm {
  readonly filename: string
  /** The plain fields, wherever they stood. */
  readonly fields: Readonly<Record<string, string>>
  readonly received: Received
}

/** What is known of the file of a form: the fields before it may say what it is. */
export interface AnnouncedInForm extends Omit<Announced, 'assertAllowed'> {
  readonly assertAllowed?: (fields: ReceivedForm['fields']) => Promise<void>
}

/** Receives the file of a multipart form as `receiveFile` does. @throws Refusal 400 for a body that is no such form */
export async function receiveForm<T>(
  ctx: Context & { readonly body: Readable },
  project: Stored,
  expected: ExpectedForm,
  { assertAllowed, ...announced }: AnnouncedInForm,
  work: (form: ReceivedForm, counted: (db: Db) => Promise<void>) => Promise<T>,
): Promise<T> {
  const done = Promise.withResolvers<T>()
  await receiveFormFile(
    ctx.request.headers,
    ctx.body,
    async ({ bytes, filename, fields, complete }) => {
      const asked = { ...announced, assertAllowed: async () => assertAllowed?.(fields) }
      const result = await receiveFile(ctx, project, bytes, asked, async (received, counted) => {
        await complete
        return work({ filename, fields, received }, counted)
      })
      done.resolve(result)
    },
    expected,
  )
  return done.promise
}

async function storeBytes(
  { deps, request }: Context,
  source: Readable,
  { size, sha256, digests = [], limit, admit }: Announced & { readonly limit: number | undefined; readonly admit: Admission | undefined },
): Promise<Received> {
  const digesting = new Digesting(digests, admit)
  // The store sees an error of the source only on the stream that it reads.
  whenBrokenOff(source, error => digesting.destroy(error))
  // One that comes before the store reads must not end the process.
  digesting.on('error', () => {})
  try {
    // What failed while the limit was read has said so already.
    if (source.errored) throw source.errored
    const stored = await deps.objects.put(source.pipe(digesting), {
      ...(size !== undefined && { size }),
      ...(sha256 !== undefined && { sha256 }),
      ...(limit !== undefined && { limit }),
    })
    return { ...stored, digests: digesting.digests() }
  } catch (error) {
    source.unpipe(digesting)
    if (error instanceof ObjectMismatch) {
      // The rest is read and dropped, so that the client sees the answer.
      source.resume()
      throw error.what === 'limit' ? tooLargeFile() : badRequest(`The ${error.what} of the file is not the one announced`)
    }
    throw isClientGone(error) || request.signal.aborted ? badRequest('the body ended early') : error
  }
}

/** The size that the headers of a request announce. */
export function announcedSize({ request }: Pick<Context, 'request'>): number | undefined {
  const length = request.headers['content-length']
  return length === undefined ? undefined : Number(length)
}
