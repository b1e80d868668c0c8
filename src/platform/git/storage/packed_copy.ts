/** A repository as one pack of what its references need, and as those references: how backups keep it. git checks each object on its way back. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GitError } from '../errors.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { runGit, startGit, withConfiguration } from '../process/run.ts'
import { isValidRefName } from '../refs/names.ts'
import { isIntact } from './maintenance.ts'
import type { Repository } from './repository.ts'
import { toleratedFaults } from './storage.ts'

/** A large repository takes hours on a slow disk. In milliseconds. */
const PATIENCE = 24 * 60 * 60 * 1000

/**
 * A pack of these objects with all that they name, made while it is read. Deltas are taken over as they are stored.
 * @param without objects of the repository that the reader has with all that they name: the pack lacks it, and has deltas against it
 */
export async function* streamPack(
  repository: Repository,
  ids: Iterable<ObjectId>,
  without: readonly ObjectId[] = [],
): AsyncGenerator<Buffer, void, void> {
  const git = await startGit(repository, {
    subcommand: 'pack-objects',
    flags: ['--revs', '--stdout', '--delta-base-offset', '--quiet', ...(without.length > 0 ? ['--thin'] : [])],
    timeoutMs: PATIENCE,
  })
  // What goes wrong with it is the process's own failure.
  git.stdin.on('error', () => {})
  git.stdin.end([...[...ids].map(id => `${objectId(id)}\n`), ...without.map(id => `^${objectId(id)}\n`)].join(''))
  try {
    yield* git.stdout as AsyncIterable<Buffer>
    await git.done
  } finally {
    git.kill()
    git.stdout.destroy()
    await git.done.catch(() => {})
  }
}

/** Puts a pack into a repository, which has what deltas of the pack need. */
export const addPack = (repository: Repository, pack: AsyncIterable<Buffer>): Promise<void> =>
  indexPack(repository, Readable.from(pack), { timeoutMs: PATIENCE })

/**
 * Puts a pack that comes as a stream into a repository.
 * @param flags further ones for `git index-pack`
 * @throws the failure of the source; GitError for a pack that git does not take
 */
export async function indexPack(
  repository: Repository,
  source: Readable,
  { flags = [], timeoutMs }: { readonly flags?: readonly string[]; readonly timeoutMs?: number } = {},
): Promise<void> {
  const command = { subcommand: 'index-pack', flags: ['--stdin', '--fix-thin', ...flags] } as const
  const git = await startGit(repository, { ...command, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
  git.stdout.resume()
  const fed = pipeline(source, git.stdin)
  // A process that ends early breaks the stream, and its own failure says more than that.
  const [feeding, ending] = await Promise.allSettled([fed, git.done.finally(() => git.stdin.destroy())])
  const code = feeding.status === 'rejected' ? (feeding.reason as NodeJS.ErrnoException).code : undefined
  if (feeding.status === 'rejected' && code === undefined) throw feeding.reason
  if (ending.status === 'rejected') throw ending.reason
  // It ends well with the last byte of a whole pack, which may be before the source has said that there are no more.
  if (feeding.status === 'rejected' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw feeding.reason
}

/**
 * Gives a repository without references its own, once all its packs are there, and looks whether all that they need is. Of several packs it makes
 * one, without what no reference needs.
 * @throws GitError `corrupt` if something is missing
 */
export async function setRefs(repository: Repository, refs: readonly (readonly [ref: string, id: string])[], packs: number): Promise<void> {
  const invalid = refs.find(([ref]) => !isValidRefName(ref))
  if (invalid) throw new GitError('invalid', `Not a valid reference name: ${invalid[0]}`)
  if (refs.length > 0) {
    const input = ['start', ...refs.map(([ref, id]) => `create ${ref}\0${objectId(id)}`), 'prepare', 'commit']
      .map(part => `${part}\0`)
      .join('')
    await runGit(repository, { subcommand: 'update-ref', flags: ['--stdin', '-z'], input, timeoutMs: PATIENCE })
    await runGit(repository, { subcommand: 'pack-refs', flags: ['--all', '--prune'] })
    if (!(await isIntact(repository))) throw new GitError('corrupt', 'The packs lack what the references need')
  }
  if (packs > 1) await runGit(repository, { subcommand: 'repack', flags: ['-a', '-d', '-l', '-q'], timeoutMs: PATIENCE })
}

/**
 * The faults that git finds in a repository: broken and missing objects, references that name nothing. None for a good one. What a push may
 * have, such as the wrong dates of old histories, is none.
 */
export async function faultsOf(repository: Repository): Promise<string[]> {
  const { stdout, stderr, exitCode } = await runGit(repository, {
    subcommand: 'fsck',
    flags: ['--full', '--no-dangling', '--no-progress', '--no-reflogs'],
    environment: withConfiguration(toleratedFaults.map(fault => [`fsck.${fault}`, 'ignore'] as const)),
    answers: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 128],
    timeoutMs: PATIENCE,
  })
  if (exitCode === 0) return []
  const lines = `${stdout.toString('utf8')}\n${stderr}`.split('\n').filter(line => line !== '' && !line.startsWith('warning'))
  return lines.length > 0 ? lines : ['git fsck failed']
}
