/** Copies objects and references between repositories of this machine. */
import { GitError } from '../errors.ts'
import { readCommits } from '../objects/objects.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { runGit } from '../process/run.ts'
import { keepAround, keepAroundRef } from '../refs/kept.ts'
import { listBranches } from '../refs/list.ts'
import type { Repository } from './repository.ts'

/** Flags for a copy in which both sides are Ingot's. */
const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules']

/**
 * Copies every branch and tag of `source` with all reachable objects into `target`, which is being created: `storage.create(id, { fill:
 * copy => copyBranchesAndTags(copy, source) })`. Nothing is shared afterwards: the copy survives the source's deletion, and unreachable or
 * hidden objects of the source are not copied.
 */
export async function copyBranchesAndTags(target: Repository, source: Repository): Promise<void> {
  await runGit(target, {
    subcommand: 'fetch',
    flags,
    values: [source.path, '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
  })
}

/**
 * Copies references of `source` to names of `target` (full names both; for merge requests between forks, into `refs/merge-requests/` or a
 * hidden namespace). They are overwritten. Sources that `uploadpack` hides cannot be copied.
 */
export async function fetchInto(
  target: Repository,
  source: Repository,
  refs: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  if (refs.length === 0) return
  await runGit(target, { subcommand: 'fetch', flags, values: [source.path, ...refs.map(({ from, to }) => `+${from}:${to}`)] })
}

/** Tips of the target that are sent to the source, so that their history need not be transferred. */
const MOST_TIPS = 200

/** The bytes that a commit of `source` and its history would add to `target`, estimated from its branches. */
export async function missingBytes(target: Repository, source: Repository, id: ObjectId): Promise<number> {
  const tips = (await listBranches(target)).slice(0, MOST_TIPS).map(({ commit }) => `^${commit}`)
  const { stdout } = await runGit(source, {
    subcommand: 'rev-list',
    flags: ['--objects', '--disk-usage', '--ignore-missing'],
    values: [objectId(id), ...tips],
  })
  return Number(stdout.toString().trim())
}

/**
 * Copies commits of `source` with their history into `target`, where `refs/keep-around/` then keeps them: they stay whatever happens to
 * `source`. May be repeated after a crash at any point, because the name of a reference is the commit that it keeps. The commits need not
 * be on a branch of `source` any more. One process (and the other side's), whatever their number.
 * @throws GitError `not_found` if `source` lacks one of them; then nothing is kept
 */
export async function copyCommits(target: Repository, source: Repository, ids: readonly ObjectId[]): Promise<void> {
  if (target.path === source.path) return keepAround(target, ids)
  if (ids.length === 0) return
  const found = await readCommits(source, ids)
  const missing = ids.find((_, index) => found[index] === undefined)
  if (missing !== undefined) throw new GitError('not_found', `There is no commit ${missing} to be brought`)
  await runGit(target, {
    subcommand: 'fetch',
    flags: [...flags, '--atomic'],
    values: [source.path, ...new Set(ids.map(id => `+${objectId(id)}:${keepAroundRef(id)}`))],
  })
}
