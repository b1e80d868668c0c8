/** Copying objects and references from one repository of this machine to another. */
import { GitError } from '../errors.ts'
import { readCommits } from '../objects/objects.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { keepAround, keepAroundRef } from '../refs/kept.ts'
import type { Repository } from '../repository.ts'
import { runGit } from '../run.ts'

/** What git is told about the other side of a copy: both are ours. */
const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules']

/**
 * Copies every branch and tag of `source`, and all that they reach, into `target` (given while it is created:
 * `storage.create(id, { fill: copy => copyBranchesAndTags(copy, source) })`). Nothing is shared afterwards: the copy
 * survives the source's deletion, and what the source keeps unreachable or hidden is not copied.
 */
export async function copyBranchesAndTags(target: Repository, source: Repository): Promise<void> {
  await runGit(target, {
    subcommand: 'fetch',
    flags,
    values: [source.path, '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
  })
}

/**
 * Copies references of `source` under names of `target` (full names both; for merge requests between forks, into
 * `refs/merge-requests/` or a hidden namespace). They are overwritten. Sources that `uploadpack` hides cannot be copied.
 */
export async function fetchInto(
  target: Repository,
  source: Repository,
  refs: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  if (refs.length === 0) return
  await runGit(target, { subcommand: 'fetch', flags, values: [source.path, ...refs.map(({ from, to }) => `+${from}:${to}`)] })
}

/**
 * Brings commits of `source` with all that they reach into `target`, where `refs/keep-around/` then holds them: whatever
 * becomes of `source`, they stay. To be repeated after a crash at any point: a name says what it holds. They need not be on a
 * branch of `source` any more. One process (and the other side's), whatever their number.
 * @throws GitError `not_found` if `source` lacks one of them; nothing is held then
 */
export async function bringCommits(target: Repository, source: Repository, ids: readonly ObjectId[]): Promise<void> {
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
