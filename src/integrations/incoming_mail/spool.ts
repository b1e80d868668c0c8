/** Keeps a mail that comes in, in a file, until it was taken: memory does not grow with it. */
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { places } from '../../platform/config.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { badRequest, tooLarge } from '../../platform/kernel/errors.ts'
import { isClientGone, whenBrokenOff } from '../../platform/kernel/request/wire.ts'
import { LARGEST_MAIL } from '../../platform/mail/incoming/message.ts'

/** A mail in a file. */
export interface SpooledMail {
  readonly file: string
  /** Hex SHA-256 of its bytes. */
  readonly sha256: string
}

/** What comes from a source, which is left whole: when nobody reads it any more, the rest of the source is read and discarded. */
export function detached(source: Readable): Readable {
  const copy = new PassThrough()
  whenBrokenOff(source, error => copy.destroy(isClientGone(error) ? badRequest('the body ended early') : error))
  // The reader gets the error; this handler only keeps one that comes before the reader from ending the process.
  copy.on('error', () => {})
  copy.on('close', () => {
    source.unpipe(copy)
    source.resume()
  })
  source.pipe(copy)
  return copy
}

/**
 * Writes a mail to a file, does `work` with it, and removes it.
 * @throws Refusal 413 for a mail that is too large: the rest of it is not read
 */
export async function withSpooled<T>(
  { config }: Pick<Deps, 'config'>,
  mail: Readable,
  work: (spooled: SpooledMail) => Promise<T>,
): Promise<T> {
  const folder = places(config).uploads
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, randomUUID())
  const hash = createHash('sha256')
  let size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      size += chunk.length
      if (size > LARGEST_MAIL) done(tooLarge(LARGEST_MAIL))
      else done(null, chunk)
    },
  })
  try {
    if (mail.errored) throw mail.errored
    await pipeline(mail, measure, createWriteStream(file, { mode: 0o600 }))
    return await work({ file, sha256: hash.digest('hex') })
  } finally {
    await rm(file, { force: true })
  }
}
