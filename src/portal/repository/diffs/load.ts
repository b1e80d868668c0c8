/** Reads a page of a diff: the names of all its files, and the lines of a few. */
import {
  type ChangedFile,
  type DiffEntry,
  diffPage,
  listChangedFiles,
  type ObjectId,
  type Repository,
} from '../../../platform/git/index.ts'

/** Files on a page of a diff: what a reader sees first comes with the page, the rest as it comes into view. */
export const FILES_PER_PAGE = 15

/** A diff, of which one page is read. */
export interface ShownDiff {
  /** All files, in the order of the diff. */
  readonly files: readonly ChangedFile[]
  /** Those of the page, with their lines. */
  readonly entries: readonly DiffEntry[]
  /** From 1. */
  readonly page: number
  readonly pages: number
}

/** A page of the difference between two commits or trees: at most three processes, however many files there are. */
export async function shownDiff(
  repository: Repository,
  { from, to }: { readonly from: ObjectId; readonly to: ObjectId },
  page: number,
): Promise<ShownDiff> {
  const [changed, { entries }] = await Promise.all([
    listChangedFiles(repository, from, to),
    diffPage(repository, from, to, { offset: (page - 1) * FILES_PER_PAGE, limit: FILES_PER_PAGE }),
  ])
  const files = changed.map(({ file }) => file)
  return { files, entries, page, pages: Math.max(1, Math.ceil(files.length / FILES_PER_PAGE)) }
}
