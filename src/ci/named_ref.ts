/** Looks up branches and tags by name, for pipelines that are requested by name. */

import { resolveCommits } from '../platform/git/index.ts'
import type { Context } from '../platform/kernel/context.ts'
import { findRepository, type Stored } from '../spaces/projects/repository/store.ts'

/** A reference by its full name, with its commit. */
export interface NamedRef {
  /** `refs/heads/…` or `refs/tags/…` */
  readonly ref: string
  readonly sha: string
}

/** The branch, or else the tag, of this short or full name; undefined if there is neither. */
export async function refNamed({ deps }: Pick<Context, 'deps'>, project: Stored, name: string): Promise<NamedRef | undefined> {
  const repository = await findRepository(deps.storages, project)
  const names = /^refs\/(heads|tags)\//.test(name) ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`]
  const tips = repository ? await resolveCommits(repository, names) : []
  const at = tips.findIndex(tip => tip !== undefined)
  return at < 0 ? undefined : { ref: names[at] as string, sha: tips[at] as string }
}

/**
 * Is a short name of pipelines that of a tag? A branch of that name comes first, as in `refNamed`: otherwise those who may make a tag could pass its
 * artifacts off as the branch's. Undefined where there is neither any more: what either of them left is meant.
 */
export async function isTagMeant(ctx: Pick<Context, 'deps'>, project: Stored, name: string): Promise<boolean | undefined> {
  const found = await refNamed(ctx, project, name)
  return found?.ref.startsWith('refs/tags/')
}
