/** Reads a repository on another server: for imports, and for mirrors that pull. */
import type { Secret } from '../../../secret.ts'
import { type GitError, GitProcessError, TooLarge } from '../../errors.ts'
import { runGit, withConfiguration } from '../../process/run.ts'
import { isValidShortName } from '../../refs/names.ts'
import type { GitPlace, Repository } from '../repository.ts'
import { repositorySize } from '../storage.ts'
import { withSmartRelay } from './smart_relay.ts'

/** A repository on another server. `address` is the resolved address to connect to, whatever the host name resolves to at that moment. */
export interface Remote {
  /** http or https, without credentials. */
  readonly url: URL
  readonly address: string
  /** The port to connect to. */
  readonly port: number
  readonly credentials: { readonly username: string; readonly password: Secret } | undefined
}

/** Why a remote repository could not be read or written, in words for the user who requested it. */
export class RemoteUnreadable extends Error {}

export const MINUTE = 60_000

/** The branch that HEAD of the remote names; undefined if it names none, as in an empty repository. */
export async function remoteHead(place: GitPlace, remote: Remote): Promise<string | undefined> {
  const { stdout } = await reading(() =>
    runGit(place, {
      subcommand: 'ls-remote',
      flags: ['--symref'],
      values: [remote.url.href, 'HEAD'],
      environment: environmentOf(remote),
      timeoutMs: MINUTE,
    }),
  )
  const name = stdout.toString('utf8').match(/^ref: refs\/heads\/(.+)\tHEAD$/m)?.[1]
  return name !== undefined && isValidShortName(name) ? name : undefined
}

const fetchFlags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules']

/** How often the size of the fetched data is checked, in milliseconds. */
const LOOK = 1_000

/**
 * Megabytes of memory that each process of an exchange with another server may map. What speaks HTTP keeps the list of references in memory, and the other
 * server makes it as long as it wants to. The settings of `environmentOf` keep what reads packs below that.
 */
export const REMOTE_MEMORY = 4096

/** Megabytes that all processes of an exchange may fill together: the index of a history of ten million objects is made in less. */
export const REMOTE_RESIDENT = 2048

/** Where the references of the remote are put. */
export interface FetchOptions {
  /**
   * The namespace that gets them, as `refs/ingot/upstream/`: references that are gone from the remote are removed from it. Default: branches and tags
   * are put in the place of those of the repository.
   */
  readonly into?: string
  /** References beside branches and tags, as patterns, with the places here that they get. */
  readonly also?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** Megabytes that its processes may fill together. */
  readonly resident?: number
}

/**
 * Fetches every branch and tag of the remote and overwrites existing ones. The fetch is aborted when the repository grows beyond `maxBytes`
 * on disk. Only the smart protocol is spoken: git checks no object that comes by the dumb one.
 * @throws RemoteUnreadable
 */
export async function fetchRemote(
  target: Repository,
  remote: Remote,
  maxBytes: number,
  { into, also = {}, timeoutMs, resident = REMOTE_RESIDENT }: FetchOptions = {},
): Promise<void> {
  const full = new AbortController()
  const look = async () => {
    if ((await repositorySize(target)) > maxBytes) full.abort()
  }
  // If the size cannot be measured it is not bounded, so the fetch must end.
  const looking = setInterval(() => void look().catch(() => full.abort()), LOOK)
  try {
    await withSmartRelay({ ...remote, authorization: authorizationOf(remote) }, async relay => {
      const fetching = reading(() =>
        runGit(target, {
          subcommand: 'fetch',
          flags: [...fetchFlags, ...(into === undefined ? [] : ['--prune'])],
          values: [
            relay.remote.url.href,
            `+refs/heads/*:${into ?? 'refs/'}heads/*`,
            `+refs/tags/*:${into ?? 'refs/'}tags/*`,
            ...Object.entries(also).map(([there, here]) => `+${there}:${here}`),
          ],
          environment: environmentOf(relay.remote, timeoutMs),
          memory: REMOTE_MEMORY,
          resident,
          signal: full.signal,
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
        }),
      )
      await fetching.catch(error => {
        throw relay.isDumb()
          ? new RemoteUnreadable('The remote repository does not speak the smart protocol of git', { cause: error })
          : error
      })
    })
    await look()
  } catch (error) {
    if (!full.signal.aborted) throw error
  } finally {
    clearInterval(looking)
  }
  if (full.signal.aborted) throw new RemoteUnreadable('The remote repository is too large')
}

/** The header that the credentials make. */
const authorizationOf = ({ credentials }: Pick<Remote, 'credentials'>): string | undefined =>
  credentials && `Basic ${Buffer.from(`${credentials.username}:${credentials.password.reveal()}`).toString('base64')}`

/**
 * Credentials are passed in the environment, which the process list does not show. Redirects are not followed: they could lead to any
 * address.
 * @param timeoutMs the time of the whole
 * @param patience seconds without data until the remote is given up
 */
export function environmentOf(
  { url, address, port, credentials }: Remote,
  timeoutMs = Number.POSITIVE_INFINITY,
  patience = 60,
): Record<string, string> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const authorization = authorizationOf({ credentials })
  return {
    GIT_ALLOW_PROTOCOL: 'http:https',
    ...withConfiguration([
      ['http.followRedirects', 'false'],
      ['http.curloptResolve', `${host}:${port}:${address.includes(':') ? `[${address}]` : address}`],
      ['http.lowSpeedLimit', '1000'],
      ['http.lowSpeedTime', String(Math.min(patience, Math.ceil(timeoutMs / 1_000)))],
      ['fetch.fsckObjects', 'true'],
      ['core.packedGitLimit', '1g'],
      ['core.packedGitWindowSize', '64m'],
      ['pack.threads', '4'],
      ...(authorization ? [['http.extraHeader', `Authorization: ${authorization}`] as const] : []),
    ]),
  }
}

/** Runs git against a remote. @throws RemoteUnreadable for what is the fault of the remote; `verb` says what was tried */
export async function reading<T>(read: () => Promise<T>, verb: 'read' | 'written' = 'read'): Promise<T> {
  try {
    return await read()
  } catch (error) {
    // Failures of our repository or of git itself are not the remote's; an endless answer is.
    if (!(error instanceof GitProcessError || error instanceof TooLarge)) throw error
    throw new RemoteUnreadable(whyUnreadable(error, verb), { cause: error })
  }
}

function whyUnreadable({ kind }: GitError, verb: 'read' | 'written'): string {
  if (kind === 'timeout') return 'The remote repository took too long'
  return kind === 'too_large'
    ? 'The remote repository takes more memory than there is for one'
    : `The remote repository could not be ${verb}`
}
