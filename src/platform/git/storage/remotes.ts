/** Imports a repository from another server. */
import type { Secret } from '../../secret.ts'
import { GitError, GitProcessError, TooLarge } from '../errors.ts'
import { runGit, withConfiguration } from '../process/run.ts'
import { isValidShortName } from '../refs/names.ts'
import type { GitPlace, Repository } from './repository.ts'
import { repositorySize } from './storage.ts'

/** A repository on another server. `address` is the resolved address to connect to, whatever the host name resolves to at that moment. */
export interface Remote {
  /** http or https, without credentials. */
  readonly url: URL
  readonly address: string
  /** The port to connect to. */
  readonly port: number
  readonly credentials: { readonly username: string; readonly password: Secret } | undefined
}

/** Why a remote repository could not be read, in words for the user who requested it. */
export class RemoteUnreadable extends Error {}

const MINUTE = 60_000

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

/** How often the size of the fetched data is checked, in milliseconds. */
const LOOK = 1_000

/**
 * Fetches every branch and tag of the remote and overwrites existing ones. The fetch is aborted when the repository grows beyond `maxBytes`
 * on disk.
 * @throws RemoteUnreadable
 */
export async function fetchRemote(target: Repository, remote: Remote, maxBytes: number): Promise<void> {
  const full = new AbortController()
  const look = async () => {
    if ((await repositorySize(target)) > maxBytes) full.abort()
  }
  // If the size cannot be measured it is not bounded, so the fetch must end.
  const looking = setInterval(() => void look().catch(() => full.abort()), LOOK)
  try {
    await reading(() =>
      runGit(target, {
        subcommand: 'fetch',
        flags: ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'],
        values: [remote.url.href, '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
        environment: environmentOf(remote),
        signal: full.signal,
      }),
    )
    await look()
  } catch (error) {
    if (!full.signal.aborted) throw error
  } finally {
    clearInterval(looking)
  }
  if (full.signal.aborted) throw new RemoteUnreadable('The remote repository is too large')
}

/**
 * Credentials are passed in the environment, which the process list does not show. Redirects are not followed: they could lead to any
 * address.
 */
function environmentOf({ url, address, port, credentials }: Remote): Record<string, string> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const basic = credentials && Buffer.from(`${credentials.username}:${credentials.password.reveal()}`).toString('base64')
  return {
    GIT_ALLOW_PROTOCOL: 'http:https',
    ...withConfiguration([
      ['http.followRedirects', 'false'],
      ['http.curloptResolve', `${host}:${port}:${address.includes(':') ? `[${address}]` : address}`],
      ['http.lowSpeedLimit', '1000'],
      ['http.lowSpeedTime', '60'],
      ['fetch.fsckObjects', 'true'],
      ...(basic ? [['http.extraHeader', `Authorization: Basic ${basic}`] as const] : []),
    ]),
  }
}

async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    // Failures of our repository or of git itself are not the remote's; an endless answer is.
    if (!(error instanceof GitProcessError || error instanceof TooLarge)) throw error
    throw new RemoteUnreadable(
      error instanceof GitError && error.kind === 'timeout'
        ? 'The remote repository took too long'
        : 'The remote repository could not be read',
      {
        cause: error,
      },
    )
  }
}
