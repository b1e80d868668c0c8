/** Keeping a repository small and fast. */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { countCommits } from '../commits/history.ts'
import { GitError } from '../errors.ts'
import { resolveCommit } from '../objects/objects.ts'
import { runGit } from '../process/run.ts'
import { indexHistory } from './commit_graph.ts'
import type { Repository } from './repository.ts'
import { repositorySize } from './storage.ts'

/** How long objects that nothing names are kept: long enough for any work that has written them and not yet named them. */
const graceOfUnreachable = '2.weeks.ago'

/** More loose objects, packs, or references in files of their own than these make reading slow and clones slower. */
const tidyUpTo = { looseObjects: 2_000, packs: 20, looseReferences: 1_000 }

/** Is it time for `housekeeping`? Objects are spread evenly over 256 folders, so one of them tells how many there are. */
export async function needsHousekeeping({ path }: Pick<Repository, 'path'>): Promise<boolean> {
  const [sample, packs] = await Promise.all([namesIn(join(path, 'objects', '17')), namesIn(join(path, 'objects', 'pack'))])
  return (
    sample.length * 256 > tidyUpTo.looseObjects ||
    packs.filter(name => name.endsWith('.pack')).length > tidyUpTo.packs ||
    (await hasMoreFiles(join(path, 'refs'), tidyUpTo.looseReferences))
  )
}

/** Whether a folder and those below it have more files than this. Looks no further than that. */
async function hasMoreFiles(folder: string, limit: number): Promise<boolean> {
  let files = 0
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined && files <= limit; next = folders.pop())
    for (const entry of await entriesOf(next)) {
      if (entry.isDirectory()) folders.push(join(next, entry.name))
      else files += 1
    }
  return files > limit
}

const entriesOf = (directory: string): Promise<Dirent[]> => orNothing(readdir(directory, { withFileTypes: true }))

const namesIn = (directory: string): Promise<string[]> => orNothing(readdir(directory))

/** What a directory has; nothing where it is not there (any more). */
async function orNothing<T>(reading: Promise<T[]>): Promise<T[]> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/**
 * Packs objects and references, writes the indexes that make history and clones fast, and deletes unreachable objects
 * older than two weeks. Younger ones lie in a pack of their own: in files of their own, those that differ little from each other would take a
 * thousand times as much. Safe while the repository is read and written. Four processes.
 */
export async function housekeeping(repository: Repository): Promise<void> {
  await runGit(repository, { subcommand: 'pack-refs', flags: ['--all', '--prune'] })
  await runGit(repository, {
    subcommand: 'repack',
    flags: ['--cruft', '-d', '-l', '-q', `--cruft-expiration=${graceOfUnreachable}`, '--write-bitmap-index'],
  })
  await runGit(repository, { subcommand: 'prune', flags: [`--expire=${graceOfUnreachable}`] })
  await indexHistory(repository)
}

/** Is everything there that the references need? Reads all commits and trees, and looks for every file. */
export async function isIntact(repository: Repository): Promise<boolean> {
  try {
    await runGit(repository, { subcommand: 'rev-list', flags: ['--objects', '--all', '--quiet'], timeoutMs: TIME_TO_CHECK })
    return true
  } catch (error) {
    if (error instanceof GitError && error.kind === 'corrupt') return false
    throw error
  }
}

/** As long as packing may take. In milliseconds. */
const TIME_TO_CHECK = 60 * 60 * 1000

/** Numbers for the project's statistics. `size` in bytes; `commit_count` of the default branch. */
export async function repositoryStatistics(repository: Repository): Promise<{ commit_count: number; size: number }> {
  const head = await resolveCommit(repository, 'HEAD')
  const [commit_count, size] = await Promise.all([
    head === undefined ? 0 : countCommits(repository, { from: [head] }),
    repositorySize(repository),
  ])
  return { commit_count, size }
}
