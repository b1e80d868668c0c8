/** Answers with an archive, or with one file of it. */

import { contentDisposition } from '../../platform/kernel/answer/disposition.ts'
import { objectAnswer, rangedAnswer } from '../../platform/kernel/answer/object.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { badRequest, notFound } from '../../platform/kernel/errors.ts'
import type { ArtifactRow } from '../jobs/entities/artifacts.ts'
import { contentsOf, findEntry, isReadable, UnfitZip } from './zip/index.ts'

/** The whole archive. */
export const archiveAnswer = (ctx: Context, archive: ArtifactRow): Promise<ByteAnswer> =>
  objectAnswer(ctx, archive, { mediaType: 'application/zip', disposition: contentDisposition('attachment', archive.filename) })

/** A report of a job as the runner sent it: packed, where it came so. */
export const reportAnswer = (ctx: Context, report: ArtifactRow): Promise<ByteAnswer> =>
  objectAnswer(ctx, report, {
    mediaType: report.file_format === 'gzip' ? 'application/gzip' : mediaTypeOf(report.filename),
    disposition: contentDisposition('attachment', report.filename),
  })

/**
 * Is it the path of a file inside an archive?
 * Contract: `..`, absolute paths and folders are 400; the kernel refuses NUL and invalid UTF-8, 400 too (decision 25).
 */
export const isPathInside = (path: string): boolean =>
  path !== '' && !/^[/\\]|[/\\]$|^[A-Za-z]:[/\\]/.test(path) && !path.split(/[/\\]/).includes('..')

/** One file of an archive, streamed from it; 400 for an invalid path, 404 if the archive has no such file. */
export async function fileAnswer(ctx: Context, archive: ArtifactRow, path: string): Promise<ByteAnswer> {
  if (!isPathInside(path)) throw badRequest('the path is invalid')
  const entry = await findFile(ctx, archive, path)
  if (!entry) throw notFound('File')
  const filename = path.slice(path.lastIndexOf('/') + 1)
  return rangedAnswer(
    ctx,
    {
      size: entry.record.size,
      version: `${archive.sha256} ${entry.record.headerAt}`,
      read: range => contentsOf(entry, range),
    },
    { mediaType: mediaTypeOf(filename), disposition: contentDisposition('attachment', filename) },
  )
}

/** Links, folders, encrypted files and files with an impossible size cannot be served. */
async function findFile({ deps }: Context, archive: ArtifactRow, path: string) {
  try {
    const entry = await findEntry(deps.objects, archive, path)
    return entry && isReadable(entry) ? entry : undefined
  } catch (error) {
    if (error instanceof UnfitZip) return undefined
    throw error
  }
}

/** Content types that are served as they are: none that a browser executes. Other files are sent as text, or else as bytes. */
const mediaTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

const texts = new Set(['txt', 'log', 'md', 'csv', 'html', 'htm', 'xhtml', 'xml', 'svg', 'css', 'js', 'mjs', 'yml', 'yaml', 'ini', 'toml'])

/** The content type by file extension; pages and scripts are sent as text, never under their own type. */
export function mediaTypeOf(filename: string): string {
  const ending = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''
  return mediaTypes[ending] ?? (texts.has(ending) ? 'text/plain' : 'application/octet-stream')
}
