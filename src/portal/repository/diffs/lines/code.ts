/** The contents of the files of a page of a diff: how large they are, how many lines they have, and their lines highlighted, within bounds. */
import {
  type DiffEntry,
  decodeText,
  type ObjectId,
  objectInfo,
  type RawEntry,
  type Repository,
  readObjects,
} from '../../../../platform/git/index.ts'
import type { Html } from '../../../../platform/pages/html.ts'
import { highlightedLines, inPatience } from '../../highlight/highlight.ts'

/** What is known of one side of a file. */
export interface Side {
  /** In bytes; undefined where the side does not exist, or is a submodule. */
  readonly size: number | undefined
  /** How many lines there are, where the file was read. */
  readonly count?: number
  /** The lines as HTML, where they are highlighted. */
  readonly lines?: readonly Html[]
}

/** Both sides of a file. */
export type Sides = readonly [before: Side, after: Side]

/** Bytes of a file that is highlighted, and of all of a page. */
const MOST_OF_FILE = 128 * 1024
const MOST_OF_PAGE = 768 * 1024

const isFile = (mode: string): boolean => mode.startsWith('100')
const isMissing = (id: string): boolean => /^0+$/.test(id)

/** The sides of the files of a page, in their order: two exchanges with git, no process. */
export async function sidesOf(
  repository: Repository,
  entries: readonly { readonly entry: DiffEntry; readonly ids: RawEntry['ids'] }[],
): Promise<readonly Sides[]> {
  const wanted = entries.flatMap(({ entry, ids }) => [...sideIds(entry, ids)].filter(id => id !== undefined))
  const unique = [...new Set(wanted)]
  const sizes = new Map((await objectInfo(repository, unique)).flatMap(info => (info ? [[info.id, info.size] as const] : [])))
  const texts = await textsOf(repository, entries, sizes)
  const highlighted = await highlightedWithin(entries, texts)
  return entries.map(({ entry, ids }) => {
    const [before, after] = sideIds(entry, ids)
    const sideOf = (id: ObjectId | undefined): Side => {
      const text = id && texts.get(id)
      const lines = id && highlighted.get(`${id} ${entry.new_path}`)
      return {
        size: id === undefined ? undefined : sizes.get(id),
        ...(text === undefined ? {} : { count: countLines(text) }),
        ...(lines ? { lines } : {}),
      }
    }
    return [sideOf(before), sideOf(after)]
  })
}

/** The blobs of both sides; a link has one too, a submodule none. */
const sideIds = (
  { a_mode, b_mode }: DiffEntry,
  [before, after]: RawEntry['ids'],
): readonly [ObjectId | undefined, ObjectId | undefined] => [
  a_mode === '160000' || isMissing(before) ? undefined : before,
  b_mode === '160000' || isMissing(after) ? undefined : after,
]

/** The texts of the files that show lines, as far as the bounds allow. */
async function textsOf(
  repository: Repository,
  entries: Parameters<typeof sidesOf>[1],
  sizes: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, string>> {
  let left = MOST_OF_PAGE
  const read = new Set<ObjectId>()
  for (const { entry, ids } of entries) {
    if (!entry.diff.includes('@@ ') || !isFile(entry.b_mode === '0' ? entry.a_mode : entry.b_mode)) continue
    const blobs = sideIds(entry, ids).filter(id => id !== undefined)
    const sum = blobs.reduce((bytes, id) => bytes + (sizes.get(id) ?? 0), 0)
    if (blobs.some(id => (sizes.get(id) ?? 0) > MOST_OF_FILE) || sum > left) continue
    left -= sum
    for (const id of blobs) read.add(id)
  }
  const objects = await readObjects(repository, [...read])
  return new Map(objects.flatMap(object => (object ? [[object.id, decodeText(object.data)] as const] : [])))
}

const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') || text === '' ? 1 : 0)

/**
 * Highlights file by file while the page waits: a file that is not highlighted by then is shown as it is, and is the next time. A file has both of its
 * sides, or none.
 */
async function highlightedWithin(
  entries: Parameters<typeof sidesOf>[1],
  texts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly Html[]>> {
  const found = new Map<string, readonly Html[]>()
  await inPatience(async end => {
    for (const { entry, ids } of entries) {
      const sides = sideIds(entry, ids).flatMap(id => (id && texts.has(id) ? [id] : []))
      const lines = await Promise.race([end, inOrder(sides, id => highlightedLines(id, entry.new_path, texts.get(id) as string))])
      if (lines === undefined) break
      for (const [index, id] of sides.entries()) found.set(`${id} ${entry.new_path}`, lines[index] as readonly Html[])
    }
  })
  return found
}

/** One after the other: a caller has one thread. */
async function inOrder<In, Out>(values: readonly In[], work: (value: In) => Promise<Out>): Promise<Out[]> {
  const made: Out[] = []
  for (const value of values) made.push(await work(value))
  return made
}
