/** Reads a page of a diff: the names of all its files with their counts, and the lines of a few. */
import {
  type ChangedFile,
  countChangedLines,
  type DiffEntry,
  defaultDiffLimits,
  diffPage,
  ImmutableCache,
  type LineCounts,
  listChangedFiles,
  type ObjectId,
  type RawEntry,
  type Repository,
  tookTooMuch,
} from '../../../platform/git/index.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { type Sides, sidesOf } from './lines/code.ts'
import { type Look, plainLook } from './look.ts'

/** What a page of a diff holds: a person reads no more, and a file that is left out can be loaded by itself. */
const pageLimits = { ...defaultDiffLimits, lines: 10_000, bytes: 1024 * 1024 }

/** What a file that is shown alone may have. */
const aloneLimits = { ...defaultDiffLimits, fileBytes: 2 * 1024 * 1024 }

/** Files whose changed lines are counted, and the milliseconds that it may take. */
const MOST_COUNTED = 1_000
const TIME_TO_COUNT = 1_000

/** A changed file, as the tree beside a diff lists it. */
export interface ShownFile extends ChangedFile, Pick<RawEntry, 'ids' | 'similarity'> {
  /** Undefined for a binary file, and where nothing was counted. */
  readonly counts: LineCounts | undefined
}

/** A file of the page, with its lines and what is known of its contents. */
export interface ShownEntry extends DiffEntry, Pick<RawEntry, 'ids' | 'similarity'> {
  readonly sides: Sides
}

/** A diff, of which one page is read. */
export interface ShownDiff {
  /** All files, in the order of the diff. */
  readonly files: readonly ShownFile[]
  /** Those of the page, with their lines. */
  readonly entries: readonly ShownEntry[]
  /** From 1. */
  readonly page: number
  readonly pages: number
  /** Files on a page. */
  readonly perPage: number
  /** The path of the file that is shown alone. */
  readonly only?: string
}

/** What of a diff is read, and how. */
export interface ShownPart {
  readonly look?: Look | undefined
  /** The path of a file that is shown alone. */
  readonly only?: string | undefined
}

const lists = new ImmutableCache<readonly ShownFile[]>(200, files => files.length <= 5_000)

/** The changed files with their counts, in the order of the diff. Two processes, or none if it is known. */
export function changedFiles(
  repository: Repository,
  { from, to }: { readonly from: ObjectId; readonly to: ObjectId },
  ignoresWhitespace = false,
): Promise<readonly ShownFile[]> {
  return lists.get(`${from} ${to} ${ignoresWhitespace}`, async () => {
    const listed = await listChangedFiles(repository, from, to)
    const counts =
      listed.length > MOST_COUNTED
        ? new Map<string, LineCounts>()
        : await countChangedLines(repository, from, to, { ignoresWhitespace, timeoutMs: TIME_TO_COUNT }).catch(error => {
            if (tookTooMuch(error)) return new Map<string, LineCounts>()
            throw error
          })
    return listed.map(({ file, ids, similarity }) => ({ ...file, ids, similarity, counts: counts.get(file.new_path) }))
  })
}

/** Pages of diffs: reviewers read the same ones repeatedly. */
const pages = new ImmutableCache<readonly DiffEntry[]>(
  60,
  entries => entries.reduce((length, { diff }) => length + diff.length, 0) <= 256 * 1024,
)

/** A page of the difference between two commits or trees: at most four processes, however many files there are. */
export async function shownDiff(
  repository: Repository,
  span: { readonly from: ObjectId; readonly to: ObjectId },
  { look = plainLook, only }: ShownPart = {},
): Promise<ShownDiff> {
  const { ignoresWhitespace, first, perPage } = look
  const { from, to } = span
  const read = (offset: number, limit: number, limits = pageLimits) =>
    pages.get(`${from} ${to} ${ignoresWhitespace} ${offset} ${limit}`, async () => {
      const { entries } = await diffPage(repository, from, to, { offset, limit }, { limits, ignoresWhitespace })
      return entries.slice(0, limit)
    })
  if (only !== undefined) {
    const files = await changedFiles(repository, span, ignoresWhitespace)
    const index = files.findIndex(({ new_path }) => new_path === only)
    if (index < 0) throw notFound('File')
    const entries = await shownEntries(repository, files.slice(index, index + 1), await read(index, 1, aloneLimits))
    return { files, entries, page: 1, pages: 1, perPage, only }
  }
  const [files, entries] = await Promise.all([changedFiles(repository, span, ignoresWhitespace), read(first, perPage)])
  return {
    files,
    entries: await shownEntries(repository, files.slice(first), entries),
    page: first / perPage + 1,
    pages: Math.max(1, Math.ceil(files.length / perPage)),
    perPage,
  }
}

/** The entries with what is known of their contents. `files`: theirs, in the same order. */
async function shownEntries(
  repository: Repository,
  files: readonly ShownFile[],
  entries: readonly DiffEntry[],
): Promise<readonly ShownEntry[]> {
  const paired = entries.map((entry, index) => ({ entry, file: files[index] as ShownFile }))
  const sides = await sidesOf(
    repository,
    paired.map(({ entry, file }) => ({ entry, ids: file.ids })),
  )
  return paired.map(({ entry, file: { ids, similarity } }, index) => ({ ...entry, ids, similarity, sides: sides[index] as Sides }))
}
