/** Writes of tags. */

import { isValidShortName, RefConflict, type Repository, readRefs, resolveCommit, writeTag, zeroId } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { withRoomForCommit } from '../../../spaces/storage_limits/limits.ts'
import { tagRights } from '../../protected_tags/rights.ts'
import { moveReferences } from '../../ref_updates/move.ts'
import { personOf } from '../commits/person.ts'
import { nameClash, refused, refusedRace } from '../refusals.ts'
import type { TagRow } from './queries.ts'

export interface NewTag {
  readonly tag_name: string
  /** A branch, tag or commit. */
  readonly ref: string
  /** Creates an annotated tag. */
  readonly message?: string | undefined
}

/** Creates a tag, annotated if a message is given; 403 if it is protected and the actor may not create it. */
export async function createTag(
  ctx: Context,
  project: ProjectWithRole,
  repository: Repository | undefined,
  { tag_name: name, ref: from, message }: NewTag,
): Promise<TagRow> {
  if (!isValidShortName(name)) throw refused('Tag name invalid', { tag_name: ['is no name for a tag'] })
  if (!(await tagRights(ctx, project)).mayCreate(name)) throw forbidden('You are not allowed to create this protected tag')
  const ref = `refs/tags/${name}`
  const [commit, [existing]] = repository
    ? await Promise.all([resolveCommit(repository, from), readRefs(repository, [ref])])
    : [undefined, []]
  if (existing !== undefined) throw refused(`Tag ${name} already exists`, { tag_name: ['exists already'] })
  if (!repository || !commit) throw refused(`Target ${from} is invalid`, { ref: ['is no branch, tag or commit of the project'] })
  const written = () =>
    writeTag(repository, { name, target: commit, tagger: personOf(ctx.actor), message: message as string, now: ctx.now })
  const target = message ? await withRoomForCommit(ctx.deps, project, Buffer.byteLength(message), written) : commit
  try {
    await moveReferences(ctx, project, [{ ref, old: zeroId, new: target }])
  } catch (error) {
    if (error instanceof RefConflict && error.reason === 'exists')
      throw refused(`Tag ${name} already exists`, { tag_name: ['exists already'] })
    if (error instanceof RefConflict && error.reason === 'in_the_way')
      throw refused('Tag name invalid', { tag_name: ['is no name for a tag'] })
    if (error instanceof RefConflict && error.reason === 'differs_in_case') throw nameClash(error)
    throw error
  }
  return { name, target, commit, project, repository }
}

/** Deletes a tag; a protected one only for Maintainers. */
export async function deleteTag(ctx: Context, project: ProjectWithRole, { name, target }: TagRow): Promise<void> {
  if (!(await tagRights(ctx, project)).mayDelete(name)) throw forbidden('You are not allowed to delete this protected tag')
  try {
    await moveReferences(ctx, project, [{ ref: `refs/tags/${name}`, old: target, new: zeroId }])
  } catch (error) {
    throw refusedRace(error)
  }
}
