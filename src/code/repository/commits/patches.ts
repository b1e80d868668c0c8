/** Patches that become commits of a branch. */
import {
  commitPatches,
  GitError,
  isValidShortName,
  type ObjectId,
  type PatchFile,
  RefConflict,
  type RefMove,
  readRefs,
  zeroId,
} from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { withRoomForCommit } from '../../../spaces/storage_limits/limits.ts'
import { branchRights } from '../../protected_branches/rights.ts'
import { moveReferences } from '../../ref_updates/move.ts'
import { pushRefused, refused, refusedRace } from '../refusals.ts'
import { personOf } from './person.ts'

export interface BranchPatches {
  readonly branch: string
  /** The branch that a new one begins at. */
  readonly start_branch: string
  /** In their order. */
  readonly files: readonly PatchFile[]
}

/**
 * Applies patches on top of a branch, a new one if there is none, as a push of the actor; not to be called inside a transaction.
 * @returns the move of the branch, which `takeBackPatches` undoes
 * @throws Refusal where a patch does not apply, the actor may not push to the branch, push rules refuse the commits, or there is no room
 */
export async function commitPatchesToBranch(
  ctx: Context,
  project: ProjectWithRole,
  { branch, start_branch, files }: BranchPatches,
): Promise<RefMove> {
  if (!isValidShortName(branch)) throw refused('Branch name is invalid')
  if (!(await branchRights(ctx, project)).mayPush(branch)) throw pushRefused()
  const repository = ctx.deps.storages.repository(project)
  const [tip, start] = await readRefs(repository, [`refs/heads/${branch}`, `refs/heads/${start_branch}`])
  const onto = tip ?? start
  if (onto === undefined) throw refused('You can only create or edit files when you are on a branch')
  const series = { onto, files, committer: personOf(ctx.actor), now: ctx.now }
  const withRoom = (bytes: number, write: () => Promise<ObjectId>) => withRoomForCommit(ctx.deps, project, bytes, write)
  const id = await commitPatches(repository, series, withRoom).catch(error => {
    throw error instanceof GitError && error.kind === 'invalid' ? refused(error.message) : error
  })
  const move = { ref: `refs/heads/${branch}`, old: tip ?? zeroId, new: id }
  await moveReferences(ctx, project, [move]).catch(error => {
    throw refusedRace(error)
  })
  return move
}

/** Moves the branch back, unless another one has moved it since. */
export async function takeBackPatches(ctx: Context, project: ProjectWithRole, { ref, old, new: now }: RefMove): Promise<void> {
  await moveReferences(ctx, project, [{ ref, old: now, new: old }]).catch(error => {
    if (!(error instanceof RefConflict)) throw error
  })
}
