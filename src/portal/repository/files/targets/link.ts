/** Symbolic links: what they lead to. */
import { entryAt, type ObjectId, pathParts, type Repository } from '../../../../platform/git/index.ts'
import { isNameable } from '../../addresses.ts'
import { parentOf } from '../tree_view.ts'
import { pathBeside } from './path_beside.ts'

/** What a link leads to. */
export interface LinkTarget {
  /** As it is written. */
  readonly written: string
  /** Where it leads in the repository; undefined where that is outside of it, or nowhere. */
  readonly path: string | undefined
  /** It leads out of the repository. */
  readonly isOutside: boolean
}

/** The target of a link at a path of a commit. */
export async function linkTargetOf(repository: Repository, commit: ObjectId, link: string, written: string): Promise<LinkTarget> {
  const path = resolvedTarget(link, written)
  if (path === undefined) return { written, path, isOutside: true }
  const isThere =
    path === '' || (isNameable(path) && pathParts(path) !== undefined && (await entryAt(repository, commit, path)) !== undefined)
  return { written, path: isThere ? path : undefined, isOutside: false }
}

/** The path that a link means; undefined where it leads out of the repository. Pure. */
export const resolvedTarget = (link: string, written: string): string | undefined =>
  written.startsWith('/') ? undefined : pathBeside(parentOf(link), written)
