/** Reads of tags. */
import { isValidShortName, type Repository, readRefs, readTag, type Tag } from '../../../platform/git/index.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'

/** A tag with its repository. */
export interface TagRow extends Tag {
  readonly project: ProjectWithRole
  readonly repository: Repository
}

/** Maximum depth of tags of tags. */
const DEPTH = 10

/** The tag of this name with its final target; undefined if there is none. No process is started. */
export async function peelTag(repository: Repository, name: string): Promise<Tag | undefined> {
  if (!isValidShortName(name)) return undefined
  const [target] = await readRefs(repository, [`refs/tags/${name}`])
  if (target === undefined) return undefined
  let commit = target
  for (let depth = 0; depth < DEPTH; depth++) {
    const tag = await readTag(repository, commit)
    if (!tag) break
    commit = tag.target
  }
  return { name, target, commit }
}
