/** Writes of branches. */
import {
  isValidShortName,
  listBranches,
  RefConflict,
  type Repository,
  readRefs,
  resolveCommit,
  zeroId,
} from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import { findRepository, initialBranch } from '../../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { branchRights } from '../../protected_branches/rights.ts'
import { moveReferences } from '../../ref_updates/move.ts'
import { createCommit } from '../commits/commands.ts'
import { nameClash, pushRefused, refused, refusedRace } from '../refusals.ts'
import { type BranchRow, mergedInto } from './entity.ts'

/** Creates a branch at a branch, tag or commit. */
export async function createBranch(
  ctx: Context,
  project: ProjectWithRole,
  repository: Repository | undefined,
  { branch: name, ref: from }: { branch: string; ref: string },
): Promise<BranchRow> {
  if (!isValidShortName(name)) throw refused('Branch name is invalid', { branch: ['is no name for a branch'] })
  const rights = await branchRights(ctx, project)
  if (!rights.mayPush(name)) throw pushRefused()
  // Contract: an empty project begins with an empty README.md on its default branch (public behaviour).
  if (project.default_branch === null && name !== from && from === (await initialBranch(ctx.db))) {
    if (!rights.mayPush(from)) throw pushRefused()
    const begun = await beginRepository(ctx, project, from)
    return createBranch(ctx, { ...project, default_branch: from }, begun, { branch: name, ref: from })
  }
  const commit = repository && (await resolveCommit(repository, from))
  if (!repository || !commit) throw refused(`Invalid reference name: ${from}`, { ref: ['is no branch, tag or commit of the project'] })
  const ref = `refs/heads/${name}`
  const [existing] = await readRefs(repository, [ref])
  if (existing !== undefined) throw refused('Branch already exists', { branch: ['exists already'] })
  try {
    await moveReferences(ctx, project, [{ ref, old: zeroId, new: commit }])
  } catch (error) {
    if (error instanceof RefConflict && error.reason === 'exists') throw refused('Branch already exists', { branch: ['exists already'] })
    // git stores branches as files: `a` and `a/b` cannot both exist.
    if (error instanceof RefConflict && error.reason === 'in_the_way')
      throw refused('Branch name is invalid', { branch: ['is no name for a branch'] })
    if (error instanceof RefConflict && error.reason === 'differs_in_case') throw nameClash(error)
    throw error
  }
  return { name, commit, project, repository }
}

/** The first commit of an empty project: an empty README.md. One who came at the same time has made it already. */
async function beginRepository(ctx: Context, project: ProjectWithRole, branch: string): Promise<Repository | undefined> {
  const readme = { action: 'create', file_path: 'README.md', content: Buffer.alloc(0) } as const
  try {
    await createCommit(ctx, project, { branch, commit_message: 'Add README.md', actions: [readme] })
  } catch (error) {
    if (!(await isBegun(ctx, project, branch))) throw error
  }
  return findRepository(ctx.deps.storages, project)
}

async function isBegun({ deps }: Context, project: ProjectWithRole, branch: string): Promise<boolean> {
  const repository = await findRepository(deps.storages, project)
  return repository !== undefined && (await resolveCommit(repository, `refs/heads/${branch}`)) !== undefined
}

/** Deletes a branch; never the default one, and a protected one only for Maintainers who may push to it. */
export async function deleteBranch(ctx: Context, { name, commit, project }: BranchRow): Promise<void> {
  if (name === project.default_branch) throw refused('The default branch of a project cannot be deleted.')
  if (!(await branchRights(ctx, project)).mayDelete(name)) throw forbidden('You are not allowed to delete this protected branch')
  try {
    await moveReferences(ctx, project, [{ ref: `refs/heads/${name}`, old: commit, new: zeroId }])
  } catch (error) {
    throw refusedRace(error)
  }
}

/** Attempts to delete merged branches while some of them are being pushed to. */
const TRIES = 3

/** Deletes all branches that the default branch contains, except protected ones. */
export async function deleteMergedBranches(ctx: Context, project: ProjectWithRole, repository: Repository | undefined): Promise<void> {
  if (!repository) return
  const rights = await branchRights(ctx, project)
  for (let attempt = 1; ; attempt++) {
    const branches = await listBranches(repository)
    const merged = await mergedInto(repository, project.default_branch, branches)
    const moves = branches
      .filter(({ name }) => merged.has(name) && name !== project.default_branch && !rights.isProtected(name))
      .map(({ name, commit }) => ({ ref: `refs/heads/${name}`, old: commit, new: zeroId }))
    if (moves.length === 0) return
    try {
      return await moveReferences(ctx, project, moves)
    } catch (error) {
      if (!(error instanceof RefConflict)) throw error
      if (attempt === TRIES) throw refusedRace(error)
    }
  }
}
