/** The repository at the other end of a mirror: where it is, and why it could not be reached, in words. */
import { type Remote, RemoteUnreadable } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { destinationOf } from '../../platform/outbound/addresses.ts'
import { get, OutboundFailed } from '../../platform/outbound/get.ts'
import type { ImportSource } from '../../spaces/projects/imports/commands.ts'
import type { UpdateLimits } from './attempt.ts'

/** The remote at an address, with the address of its host as it is now. @throws OutboundRefused */
export async function remoteAt({ config }: Pick<Deps, 'config'>, source: ImportSource): Promise<Remote> {
  const { address, port } = await destinationOf(source.url, config.outboundAllow)
  return { ...source, address, port }
}

/** What the other server says of the repository to a client of git; git itself says it in texts alone. */
const words: Readonly<Record<number, string>> = {
  401: 'The remote repository refuses the user or the password',
  403: 'The remote repository does not allow this to the user',
  404: 'There is no repository at the address of the remote, or the user may not see it',
}

/**
 * Does `work` with a remote. Where the remote cannot be read or written it is asked once more, by a plain request, and the error says what it answered.
 * @throws RemoteUnreadable
 */
export async function withReasons<T>(
  deps: Pick<Deps, 'config'>,
  { url, credentials }: ImportSource,
  service: 'git-upload-pack' | 'git-receive-pack',
  { askMs }: UpdateLimits,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RemoteUnreadable)) throw error
    const asked = new URL(`${url.href.replace(/\/$/, '')}/info/refs?service=${service}`)
    asked.username = encodeURIComponent(credentials?.username ?? '')
    asked.password = encodeURIComponent(credentials?.password.reveal() ?? '')
    try {
      const { status } = await get(asked, await destinationOf(url, deps.config.outboundAllow), { timeout: askMs, limit: 0 })
      const redirect = status >= 300 && status < 400 ? 'The remote redirects to another address, which is not followed' : undefined
      const reason = words[status] ?? redirect ?? (status >= 400 ? `The remote repository answers with status ${status}` : undefined)
      throw reason === undefined ? error : new RemoteUnreadable(reason, { cause: error })
    } catch (failure) {
      if (failure instanceof OutboundFailed) throw new RemoteUnreadable(`${error.message}: no connection, or no answer`, { cause: error })
      throw failure
    }
  }
}
