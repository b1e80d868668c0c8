import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { GitError, GitProcessError } from '../errors.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { streamGit } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'

export type ArchiveFormat = 'zip' | 'tar' | 'tar.gz' | 'tar.bz2'

/** The formats by every name that the API takes for them. */
export const archiveFormats: ReadonlyMap<string, ArchiveFormat> = new Map([
  ['zip', 'zip'],
  ['tar', 'tar'],
  ['tar.gz', 'tar.gz'],
  ['tgz', 'tar.gz'],
  ['gz', 'tar.gz'],
  ['tar.bz2', 'tar.bz2'],
  ['tbz', 'tar.bz2'],
  ['tbz2', 'tar.bz2'],
  ['tb2', 'tar.bz2'],
  ['bz2', 'tar.bz2'],
])

/** Can this machine make archives of a format? `tar.bz2` needs the program `bzip2`, which git does not bring along. */
export async function canArchive({ searchPath }: Pick<Repository, 'searchPath'>, format: ArchiveFormat): Promise<boolean> {
  if (format !== 'tar.bz2') return true
  const found = await Promise.allSettled(searchPath.split(delimiter).map(directory => access(join(directory, 'bzip2'), constants.X_OK)))
  return found.some(({ status }) => status === 'fulfilled')
}

/** What an archive has. */
export interface ArchiveContents {
  readonly commit: ObjectId
  readonly tree?: ObjectId | undefined
  readonly format: ArchiveFormat
  readonly prefix: string
  readonly path?: string | undefined
}

/** What git says of a date that a format cannot hold. Anyone may push a commit with such a date. */
const tooLate = /^fatal: timestamp too large/m

/** Bytes that are not handed on before more have come: git writes the entry of the prefix first, and looks at the names of files then. */
const HELD_BACK = 4096

/**
 * The files of a commit as an archive, made while it is read. `prefix` is the directory that all of them are put in
 * (without a slash at its end); `path`, a directory or file of the commit that the caller has seen, narrows it. `tree`, a directory of
 * the commit, is taken in place of the whole.
 * Formats that the machine cannot make (`canArchive`) fail. Fails with `invalid` before its first bytes where git refuses a name among the
 * files, such as `.git::$INDEX_ALLOCATION` in a repository that came from elsewhere, or where the format cannot hold the date of the commit.
 */
export async function* streamArchive(
  repository: Repository,
  archive: ArchiveContents,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  let hasBegun = false
  const { commit, tree = commit, path } = archive
  const bytes = streamGit(repository, {
    subcommand: 'archive',
    flags: [`--format=${archive.format}`, '--prefix', `${archive.prefix}/`],
    // After `--end-of-options` this subcommand takes a `--` for a path.
    values: [objectId(tree), ...(path ? [path] : [])],
    signal,
  })
  try {
    let held = Buffer.alloc(0)
    for await (const chunk of bytes) {
      if (hasBegun) yield chunk
      else held = Buffer.concat([held, chunk])
      if (hasBegun || held.length < HELD_BACK) continue
      hasBegun = true
      yield held
    }
    if (!hasBegun) yield held
  } catch (error) {
    if (hasBegun || !(error instanceof GitProcessError)) throw error
    if (error.kind === 'failed' && error.exitCode !== null)
      throw new GitError('invalid', 'git cannot put these files into an archive: it refuses a name among them', error.detail)
    if (tooLate.test(error.detail ?? ''))
      throw new GitError('invalid', `The date of the commit is too large for an archive of the format ${archive.format}`, error.detail)
    throw error
  }
}
