/** Copying objects and references from one repository of this machine to another. */
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
