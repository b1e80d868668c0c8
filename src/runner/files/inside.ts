/** What of a working copy really lies in it. Its job may have made any link, and the runner can read more than the job. */
import { realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'

export interface Sorted {
  readonly inside: readonly string[]
  /** Files behind a link that leads out of the working copy, and names that lead out of it. */
  readonly outside: readonly string[]
}

/** Is the place the root or below it? Both are real paths; an undefined place is none. */
export const isWithin = (path: string | undefined, root: string): boolean => path === root || path?.startsWith(root + sep) === true

/** Where a path leads to, all links followed; undefined where it leads nowhere. */
export const placeOf = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined)

/**
 * Sees that folders of a job lie in its own one still, before the runner reads or writes there: scripts may have put a link in place of any of them.
 * Nothing of the job may run any more. A folder that is gone is none.
 * @throws Error for one that lies elsewhere
 */
export async function assertInside(directory: string, folders: readonly string[]): Promise<void> {
  const root = (await placeOf(directory)) ?? directory
  for (const folder of folders) {
    const place = await placeOf(folder)
    if (place !== undefined && !isWithin(place, root)) throw new Error(`a script has put a link to another folder in place of ${folder}`)
  }
}

/** Writes a file that programs of the job run or read. What its scripts have put in its place goes. @throws Error as above, and where it cannot be written */
export async function writeInside(directory: string, file: string, text: string): Promise<void> {
  await assertInside(directory, [dirname(file)])
  await rm(file, { recursive: true, force: true })
  await writeFile(file, text, { mode: 0o700, flag: 'wx' })
}

/**
 * Sorts files by where they lie. Nothing of the job may run any more.
 * @param files relative to the root
 * @param follows whether a file that is a link itself will be read where it leads to
 */
export async function sortedByPlace(root: string, files: readonly string[], follows: boolean): Promise<Sorted> {
  const real = await realpath(root)
  const folders = new Map<string, boolean>()
  const inside: string[] = []
  const outside: string[] = []
  for (const file of files) {
    const path = join(root, file)
    const folder = dirname(path)
    if (!folders.has(folder)) folders.set(folder, isWithin(await placeOf(folder), real))
    const isHere = folders.get(folder) === true && (!follows || isWithin(await placeOf(path), real))
    ;(isHere ? inside : outside).push(file)
  }
  return { inside, outside }
}
