/** What of a working copy really lies in it. Its job may have made any link, and the runner can read more than the job. */
import { realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'

export interface Sorted {
  readonly inside: readonly string[]
  /** Files behind a link that leads out of the working copy, and names that lead out of it. */
  readonly outside: readonly string[]
}

/**
 * Sorts files by where they lie. Nothing of the job may run any more.
 * @param files relative to the root
 * @param follows whether a file that is a link itself will be read where it leads to
 */
export async function sortedByPlace(root: string, files: readonly string[], follows: boolean): Promise<Sorted> {
  const real = await realpath(root)
  const isWithin = (path: string | undefined) => path === real || path?.startsWith(real + sep) === true
  const folders = new Map<string, boolean>()
  const inside: string[] = []
  const outside: string[] = []
  for (const file of files) {
    const path = join(root, file)
    const folder = dirname(path)
    if (!folders.has(folder)) folders.set(folder, isWithin(await realpath(folder).catch(() => undefined)))
    const isHere = folders.get(folder) === true && (!follows || isWithin(await realpath(path).catch(() => undefined)))
    ;(isHere ? inside : outside).push(file)
  }
  return { inside, outside }
}
