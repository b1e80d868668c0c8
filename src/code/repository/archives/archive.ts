/** Archives of the files of a revision, for the API and for the page of a project. */

import { Readable } from 'node:stream'
import { archiveFormats, canArchive, entryAt, type Repository, resolveCommit, streamArchive } from '../../../platform/git/index.ts'
import { contentDisposition } from '../../../platform/kernel/answer/disposition.ts'
import { etagOf, rangedAnswer } from '../../../platform/kernel/answer/object.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { invalid, notFound, Refusal } from '../../../platform/kernel/errors.ts'
import type { ByteRange } from '../../../platform/object_store/store.ts'
import { withoutSlashes } from '../../../platform/patterns/slashes.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { archivesOf } from './cache.ts'

export interface ArchiveRequest {
  readonly sha?: string | undefined
  readonly path?: string | undefined
  readonly format: string
}

/**
 * The files of a revision as an archive, cached for later requests. It is streamed while it is created.
 * @throws Refusal 404 for an unknown revision or path, 406 if the machine lacks the program for the format
 */
export async function archive(
  ctx: Context,
  project: ProjectRow,
  repository: Repository | undefined,
  { sha, path: given, format: name }: ArchiveRequest,
): Promise<ByteAnswer> {
  const format = archiveFormats.get(name)
  if (!format) throw invalid({ format: ['does not have a valid value'] })
  const ref = sha || project.default_branch || 'HEAD'
  const commit = repository && (await resolveCommit(repository, ref))
  const path = given === undefined ? undefined : withoutSlashes(given)
  if (!repository || !commit || (path && !(await entryAt(repository, commit, path)))) throw notFound('File')
  if (!(await canArchive(repository, format))) throw new Refusal('not_acceptable', { message: '406 Not Acceptable' })
  const flat = (text: string) => text.replaceAll('/', '-')
  // Contract: the commit's id is left out of the prefix if it is the requested revision (repositories API).
  const prefix = [project.path, flat(ref), ...(ref === commit ? [] : [commit]), ...(path ? [flat(path)] : [])].join('-')
  // Everything that the bytes depend on: an archive of a commit never changes.
  const version = JSON.stringify([project.id, commit, format, prefix, path ?? ''])
  return cachedArchive(ctx, {
    version,
    mediaType: format === 'zip' ? 'application/zip' : 'application/octet-stream',
    filename: `${prefix}.${format}`,
    make: signal => streamArchive(repository, { commit, format, prefix, path }, signal),
  })
}

/** An archive that never changes. */
export interface FixedArchive {
  /** Everything that its bytes depend on. */
  readonly version: string
  readonly mediaType: string
  readonly filename: string
  make(signal: AbortSignal): AsyncIterable<Buffer>
}

/** An archive as an attachment, cached for later requests. It is streamed while it is created. */
export async function cachedArchive(ctx: Context, { version, mediaType, filename, make }: FixedArchive): Promise<ByteAnswer> {
  const disposition = contentDisposition('attachment', filename)
  const etag = etagOf(version)
  // The client has it: nothing is made or opened.
  if (ctx.request.headers['if-none-match'] === etag) return { body: '', etag }
  const found = await archivesOf(ctx.deps).get(version, make, {
    // One who reads slowly holds no slot for heavy work: git waits among the exchanges with its clients, which last as long as clients read.
    follows: signal => ctx.deps.limiter.enter('git', { actor: ctx.actor, ip: ctx.request.ip, signal }),
  })
  if ('bytes' in found) {
    const headers = { 'content-type': mediaType, 'content-disposition': disposition, 'x-content-type-options': 'nosniff' }
    return { body: Readable.from(await begun(found.bytes)), etag, headers, work: found.work }
  }
  const { whole, size } = found
  const read = async (range?: ByteRange) => whole.createReadStream(range ?? {})
  return rangedAnswer(ctx, { size, version, read }, { mediaType, disposition }).catch(async error => {
    await whole.close()
    throw error
  })
}

/** Waits for the first bytes, so that earlier failures are still answered with a status. */
async function begun(bytes: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer>> {
  const iterator = bytes[Symbol.asyncIterator]()
  let first: IteratorResult<Buffer> | undefined = await iterator.next()
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const next = first ?? (await iterator.next())
        first = undefined
        return next
      },
      return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
    }),
  }
}
