/** Branches and tags as people name them, for pipelines that are asked for by name. */

import { resolveCommits } from '../platform/git/objects/objects.ts'
import type { Context } from '../platform/kernel/context.ts'
import { findRepository, type Stored } from '../spaces/projects/repository/store.ts'

/** A reference by its full name, with the commit that it is at. */
export interface NamedRef {
  /** `refs/heads/…` or `refs/tags/…` */
  readonly ref: string
  readonly sha: string
}

/** The branch, or else the tag, of this name, which may be the full one; undefined where there is neither. */
export async function refNamed({ deps }: Pick<Context, 'deps'>, project: Stored, name: string): Promise<NamedRef | undefined> {
  const repository = await findRepository(deps.storages, project)
  const names = /^refs\/(heads|tags)\//.test(name) ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`]
  const tips = repository ? await resolveCommits(repository, names) : []
  const at = tips.findIndex(tip => tip !== undefined)
  return at < 0 ? undefined : { ref: names[at] as string, sha: tips[at] as string }
}
