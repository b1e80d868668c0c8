/** Lists the references of a repository on another server, and moves them: for mirrors that push. */
import { type ObjectId, objectId, zeroId } from '../../objects/oid.ts'
import { runGit } from '../../process/run.ts'
import { isValidRefName } from '../../refs/names.ts'
import type { GitPlace, Repository } from '../repository.ts'
import { environmentOf, MINUTE, REMOTE_MEMORY, REMOTE_RESIDENT, type Remote, reading } from './fetch.ts'

/** The branches and tags of a remote, by their full names. @throws RemoteUnreadable */
export async function remoteRefs(place: GitPlace, remote: Remote, timeoutMs = MINUTE): Promise<Map<string, ObjectId>> {
  const { stdout } = await reading(() =>
    runGit(place, {
      subcommand: 'ls-remote',
      flags: ['--refs', '--quiet'],
      values: [remote.url.href, 'refs/heads/*', 'refs/tags/*'],
      environment: environmentOf(remote, timeoutMs),
      timeoutMs,
    }),
  )
  const lines = stdout.toString('utf8').split('\n').slice(0, -1)
  return new Map(
    lines.flatMap(line => {
      const [id = '', ref = ''] = line.split('\t')
      return /^[0-9a-f]{40}$/.test(id) && isValidRefName(ref) ? [[ref, objectId(id)] as const] : []
    }),
  )
}

/** A move of a reference of a remote. */
export interface RemoteMove {
  readonly ref: string
  /** What the remote has now; all zeros if nothing. */
  readonly old: ObjectId
  /** All zeros: the reference is deleted. */
  readonly new: ObjectId
  /** Whether the remote may lose commits by it. */
  readonly force: boolean
}

/** References of one push: their names and ids stand on the command line. */
const CHUNK = 100

/** Seconds without data until a push is given up: the remote may have to check what it got. */
const PATIENCE = 300

/**
 * Moves references of a remote, each by itself; forced moves and deletions only while the remote has what it had. Returns the names of those
 * that the remote has refused.
 * @throws RemoteUnreadable
 */
export async function pushToRemote(source: Repository, remote: Remote, moves: readonly RemoteMove[], timeoutMs: number): Promise<string[]> {
  const refused: string[] = []
  const end = performance.now() + timeoutMs
  for (let start = 0; start < moves.length; start += CHUNK) {
    const chunk = moves.slice(start, start + CHUNK)
    const { stdout } = await reading(
      () =>
        runGit(source, {
          subcommand: 'push',
          flags: [
            '--porcelain',
            '--no-verify',
            '--no-follow-tags',
            '--no-signed',
            '--recurse-submodules=no',
            ...chunk.filter(({ force }) => force).map(({ ref, old }) => `--force-with-lease=${ref}:${old}`),
          ],
          values: [remote.url.href, ...chunk.map(move => `${move.new === zeroId ? '' : move.new}:${move.ref}`)],
          environment: environmentOf(remote, timeoutMs, PATIENCE),
          memory: REMOTE_MEMORY,
          resident: REMOTE_RESIDENT,
          // Some were refused; the report says which.
          answers: [1],
          timeoutMs: Math.max(1, end - performance.now()),
        }),
      'written',
    )
    // A line for each reference: a flag, both names, and what became of it.
    const results = new Map(
      stdout
        .toString('utf8')
        .split('\n')
        .flatMap(line => {
          const [flag = '', names] = line.split('\t')
          return names === undefined ? [] : [[names.slice(names.indexOf(':') + 1), flag] as const]
        }),
    )
    refused.push(...chunk.filter(({ ref }) => (results.get(ref) ?? '!') === '!').map(({ ref }) => ref))
  }
  return refused
}
