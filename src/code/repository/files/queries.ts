/** Reads of files. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ImmutableCache, lastCommitFor, objectInfo, type Repository, readBlob, streamBlob, TooLarge } from '../../../platform/git/index.ts'
import { contentDisposition } from '../../../platform/kernel/answer/disposition.ts'
import { digestInSlices } from '../../../platform/kernel/answer/time_slicing.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { tooLarge } from '../../../platform/kernel/errors.ts'

/** A file of a commit. */
export interface FileAt {
  readonly repository: Repository
  readonly path: string
  /** The revision as requested. */
  readonly ref: string
  readonly blobId: string
  readonly commitId: string
}

/** A file with its metadata. */
export interface FileFacts extends FileAt {
  /** In bytes. */
  readonly size: number
  /** Hex SHA-256 of the contents. */
  readonly sha256: string
  readonly lastCommitId: string
}

export interface FileContents extends FileFacts {
  readonly content: Buffer
}

/** A request whose answer has the contents. */
type Asking = Pick<Context, 'deps' | 'actor' | 'request'>

/** Maximum size of a file inside JSON, in bytes; larger ones are for the raw endpoint. */
const MAX_IN_JSON = 64 * 1024 * 1024

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** A file with its contents; 413 above 64 MB. One process, and a second one for a file above 1 MB. @throws Refusal as `blobContents` does */
export async function fileContents(ctx: Asking, file: FileAt): Promise<FileContents> {
  const [content, lastCommitId] = await Promise.all([blobContents(ctx, file.repository, file.blobId), lastCommitIdOf(file)])
  return { ...file, size: content.length, sha256: await digestInSlices(content, 'sha256', 'hex'), lastCommitId, content }
}

/** The contents of a blob that the repository has, for JSON; 413 above 64 MB. @throws Refusal 429 or 503 where large answers take all the memory for them */
export async function blobContents(ctx: Asking, repository: Repository, id: string): Promise<Buffer> {
  try {
    const small = await smallBlob(repository, id)
    if (small) return small
    const [info] = await objectInfo(repository, [id])
    if (info && info.size <= MAX_IN_JSON) ctx.deps.limiter.answer(ctx, info.size)
    return await readBlob(repository, id, MAX_IN_JSON)
  } catch (error) {
    throw error instanceof TooLarge ? tooLarge(error.limit) : error
  }
}

/** A file without its contents, read in constant memory. */
export async function fileFacts(file: FileAt): Promise<FileFacts> {
  const [measures, lastCommitId] = await Promise.all([measuresOf(file), lastCommitIdOf(file)])
  return { ...file, ...measures, lastCommitId }
}

/** Cache of size and digest of blobs: they are sent before the contents, which would otherwise be read twice. */
const measures = new ImmutableCache<Pick<FileFacts, 'size' | 'sha256'>>(5_000)

const measuresOf = ({ repository, blobId }: FileAt) =>
  measures.get(blobId, async () => {
    const hash = createHash('sha256')
    const { size, bytes } = await streamBlob(repository, blobId)
    for await (const chunk of bytes) hash.update(chunk)
    return { size, sha256: hash.digest('hex') }
  })

async function lastCommitIdOf({ repository, commitId, path }: FileAt): Promise<string> {
  return (await lastCommitFor(repository, commitId, path))?.id ?? commitId
}

/** Bytes of a blob that is kept; together they are 20 MB at most. */
const MOST_KEPT = 64 * 1024

/** Small blobs by their ids; larger ones as streams, which are for one reader each and so not kept. */
const blobs = new ImmutableCache<Buffer | undefined>(320, blob => blob !== undefined)

/** A small blob, or undefined for a larger one. */
const smallBlob = (repository: Repository, id: string) =>
  blobs.get(id, async () => {
    const [info] = await objectInfo(repository, [id])
    return info?.type === 'blob' && info.size <= MOST_KEPT ? readBlob(repository, id, MOST_KEPT) : undefined
  })

/**
 * The raw contents of a blob: small ones from memory, others streamed in constant memory. Always as text, so that browsers do not run them. The
 * caller has found that the repository has this blob: what is in memory may come from another one.
 */
export async function rawBlob(repository: Repository, id: string, name: string): Promise<ByteAnswer> {
  const small = await smallBlob(repository, id)
  const { size, bytes } = small ? { size: small.length, bytes: undefined } : await streamBlob(repository, id)
  return {
    body: small ?? Readable.from(bytes as AsyncIterable<Buffer>),
    etag: `"${id}"`,
    headers: {
      'content-length': String(size),
      'content-disposition': contentDisposition('inline', name),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  }
}

/** Does the repository have a blob with this id? */
export async function hasBlob(repository: Repository, id: string): Promise<boolean> {
  const [info] = await objectInfo(repository, [id])
  return info?.type === 'blob'
}
