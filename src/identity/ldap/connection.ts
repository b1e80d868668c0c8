/**
 * Connections to a directory. Each serves one piece of work and is closed after it. The library opens a connection again by itself where the
 * server has closed it, without the encryption that was negotiated before; so a client here gets one connection and no second one.
 */
import net, { isIP } from 'node:net'
import tls from 'node:tls'
import { Client, InvalidCredentialsError, ResultCodeError } from 'ldapts'
import type { LdapServer } from './server.ts'

/** The directory did not answer, refused the account that searches, or said what nobody understands. The message is for the log. */
export class DirectoryUnavailable extends Error {
  override name = 'DirectoryUnavailable'
}

/** Runs work on a connection that is encrypted as configured, and bound to nobody yet. */
export async function withDirectory<T>(server: LdapServer, work: (client: Client) => Promise<T>): Promise<T> {
  let client: Client | undefined
  try {
    client = await connect(server)
    return await work(client)
  } catch (error) {
    if (error instanceof DirectoryUnavailable) throw error
    throw new DirectoryUnavailable(`${server.provider}: ${(error as Error).message}`, { cause: error })
  } finally {
    await client?.unbind().catch(() => undefined)
  }
}

/** Binds the account that searches. */
export async function bindAccount(client: Client, { account, provider }: LdapServer): Promise<void> {
  if (!account) return
  try {
    await client.bind(account.dn, account.password.reveal())
  } catch (error) {
    if (error instanceof InvalidCredentialsError) throw new DirectoryUnavailable(`${provider}: the password of bind_dn is wrong`)
    throw error
  }
}

/** Looks at the entry below which people are. @throws DirectoryUnavailable it cannot be seen */
export const assertSearchable = (server: LdapServer): Promise<void> =>
  withDirectory(server, async client => {
    await bindAccount(client, server)
    const { searchEntries } = await client.search(server.base, { scope: 'base', filter: '(objectClass=*)', attributes: ['1.1'] })
    if (searchEntries.length === 0) throw new DirectoryUnavailable(`${server.provider}: there is no entry ${server.base}`)
  })

/**
 * Codes of a refused password, beside the usual one (49): locked after failures (19), an entry that has no password (48), an account that is
 * switched off (50, 53). Anything else says nothing about the password.
 */
const refusals: ReadonlySet<number> = new Set([19, 48, 49, 50, 53])

/** Is this the password of the entry? */
export async function isPasswordOf(client: Client, dn: string, password: string): Promise<boolean> {
  // A bind with a name and no password succeeds for everybody (RFC 4513 section 5.1.2), and so does one without a name.
  if (password === '' || dn === '') return false
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    if (error instanceof ResultCodeError && refusals.has(error.code)) return false
    throw error
  }
}

async function connect(server: LdapServer): Promise<Client> {
  if (server.encryption === 'plain') return clientOver(server, () => net.connect(server.port, server.host))
  if (server.encryption === 'simple_tls') return secureClientOver(server, () => tls.connect(server.port, server.host, tlsOptions(server)))
  const socket = await startTls(server)
  // A client of its own: what came before the encryption is not looked at any more, so nobody on the way can begin an answer of the directory.
  return secureClientOver(server, () => tls.connect({ ...tlsOptions(server), socket }))
}

/** Asks the server to go on encrypted (RFC 4511 section 4.14), and gives the socket on which it will. */
async function startTls(server: LdapServer): Promise<net.Socket> {
  const socket = net.connect(server.port, server.host)
  const client = clientOver(server, () => socket)
  try {
    await client.exop('1.3.6.1.4.1.1466.20037')
  } catch (error) {
    socket.destroy()
    throw error
  }
  for (const event of ['data', 'end', 'close', 'error', 'timeout']) socket.removeAllListeners(event)
  return socket
}

const tlsOptions = ({ ca, host }: LdapServer): tls.ConnectionOptions => ({
  host,
  ...(ca === undefined ? {} : { ca }),
  ...(isIP(host) === 0 ? { servername: host } : {}),
})

/** For the log of the library alone: the sockets say where they lead. */
const NAME = 'directory'

const clientOver = ({ timeout }: LdapServer, open: () => net.Socket): Client =>
  new Client({ url: `ldap://${NAME}`, timeout, connectTimeout: timeout, createConnection: onlyOnce(open) as typeof net.connect })

const secureClientOver = ({ timeout }: LdapServer, open: () => tls.TLSSocket): Client =>
  new Client({ url: `ldaps://${NAME}`, timeout, connectTimeout: timeout, createSecureConnection: onlyOnce(open) as typeof tls.connect })

function onlyOnce<Socket>(open: () => Socket): () => Socket {
  let isOpened = false
  return () => {
    if (isOpened) throw new Error('the directory has closed the connection')
    isOpened = true
    return open()
  }
}
