/** Reads of blame for its page. */
import { type BlamePart, blame, decodeText, ImmutableCache, objectInfo, readBlob } from '../../../platform/git/index.ts'
import type { Html } from '../../../platform/pages/html.ts'
import { isBinary } from '../files/blob_kind.ts'
import { highlightedLines } from '../highlight/highlight.ts'
import type { FileOfRevision } from '../scope.ts'

/** Bytes and lines of a file that has a blame. */
const MOST_SHOWN = 2 * 1024 * 1024
const MOST_LINES = 50_000

/** Lines on a page of blame. */
export const LINES_PER_PAGE = 1_000

/** Adjacent lines of one commit, highlighted. */
export interface BlameBlock {
  /** Number of its first line, from 1. */
  readonly start: number
  readonly lines: readonly Html[]
  readonly commit: BlamePart['commit']
  readonly previous: BlamePart['previous']
}

/** A page of the blame of a file; or why there is none. */
export type FileBlame =
  | { readonly kind: 'blocks'; readonly blocks: readonly BlameBlock[]; readonly pages: number }
  | { readonly kind: 'binary' | 'large' }

const cache = new ImmutableCache<readonly BlamePart[]>(100)

/**
 * A page of the blame of a file: one process, none for a page that was asked for lately.
 * @param page from 1
 */
export async function blameOf({ repository, revision, blobId }: FileOfRevision, page: number): Promise<FileBlame> {
  const { commit, path } = revision
  const [info] = await objectInfo(repository, [blobId])
  if ((info?.size ?? 0) > MOST_SHOWN) return { kind: 'large' }
  const bytes = await readBlob(repository, blobId, MOST_SHOWN)
  if (isBinary(bytes)) return { kind: 'binary' }
  if (hasMoreLines(bytes, MOST_LINES)) return { kind: 'large' }
  const lines = bytes.length === 0 ? [] : await highlightedLines(blobId, path, decodeText(bytes))
  const pages = Math.max(1, Math.ceil(lines.length / LINES_PER_PAGE))
  const first = (page - 1) * LINES_PER_PAGE + 1
  const last = Math.min(lines.length, page * LINES_PER_PAGE)
  if (first > last) return { kind: 'blocks', blocks: [], pages }
  const parts = await cache.get(`${commit} ${path} ${page}`, () => blame(repository, commit, path, { start: first, end: last }))
  let start = first
  const blocks = parts.map(part => {
    const from = start
    start += part.lines.length
    return { start: from, lines: lines.slice(from - 1, start - 1), commit: part.commit, previous: part.previous }
  })
  return { kind: 'blocks', blocks, pages }
}

function hasMoreLines(bytes: Buffer, most: number): boolean {
  let at = -1
  for (let line = 0; line <= most; line++) {
    at = bytes.indexOf(0x0a, at + 1)
    if (at < 0) return false
  }
  return true
}
