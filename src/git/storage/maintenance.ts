/** Keeping a repository small and fast. */
import { countCommits } from '../commits/history.ts'
import { resolveCommit } from '../objects/objects.ts'
import type { Repository } from '../repository.ts'
import { runGit } from '../run.ts'
import { repositorySize } from './storage.ts'

/** How long objects that nothing names are kept: long enough for any work that has written them and not yet named them. */
const graceOfUnreachable = '2.weeks.ago'

/**
 * Packs objects and references, writes the indexes that make history and clones fast, and deletes unreachable objects
 * older than two weeks. Safe while the repository is read and written. Four processes.
 */
export async function housekeeping(repository: Repository): Promise<void> {
  await runGit(repository, { subcommand: 'pack-refs', flags: ['--all', '--prune'] })
  await runGit(repository, {
    subcommand: 'repack',
    flags: ['-A', '-d', '-l', '-q', `--unpack-unreachable=${graceOfUnreachable}`, '--write-bitmap-index'],
  })
  await runGit(repository, { subcommand: 'prune', flags: [`--expire=${graceOfUnreachable}`] })
  await runGit(repository, { subcommand: 'commit-graph', flags: ['write', '--reachable', '--changed-paths', '--no-progress'] })
}

/** Numbers for the project's statistics. `size` in bytes; `commit_count` of the default branch. */
export async function repositoryStatistics(repository: Repository): Promise<{ commit_count: number; size: number }> {
  const head = await resolveCommit(repository, 'HEAD')
  const [commit_count, size] = await Promise.all([
    head === undefined ? 0 : countCommits(repository, { from: [head] }),
    repositorySize(repository),
  ])
  return { commit_count, size }
}
