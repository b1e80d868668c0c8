/**
 * What ends a start is found before anything is made, and before the program is loaded: `ingot start` asks here first. Imports nothing that
 * takes long to load.
 */
import { existsSync } from 'node:fs'
import { access, constants, mkdir, readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import { sitesPort } from '../../platform/kernel/addresses/site_address.ts'

/**
 * Checks what a start needs of the machine.
 * @throws ConfigError a setting cannot be used
 * @throws ListenFailure a port is in use
 */
export async function assertStartable(config: Config): Promise<void> {
  assertLinksLeadHere(config)
  assertSitesApart(config)
  assertRestored(config)
  assertPortsApart(config)
  await assertPortsFree(config)
  await assertOwnFolder(config)
  await makeDataDirectory(config.dataDir)
}

/**
 * Refuses what a restore left that was killed: keys, repositories and objects that no row names, beside an empty database.
 * @throws ConfigError
 */
export function assertRestored(config: Config): void {
  if (!existsSync(places(config).unfinishedRestore)) return
  throw new ConfigError(`the restore into ${config.dataDir} did not finish: remove that folder, and restore again`)
}

/**
 * Refuses a folder that another program has its data in: Ingot would put its own among them. Files alone, such as a certificate or the file of
 * sign-in providers, may lie in it before the first start.
 * @throws ConfigError
 */
export async function assertOwnFolder(config: Config): Promise<void> {
  const { dataDir } = config
  const { secretKey, repositories, objects, rootCredentials } = places(config)
  if ([secretKey, repositories, objects, rootCredentials, join(dataDir, 'postgresql', 'PG_VERSION')].some(path => existsSync(path))) return
  // One that is not there, or cannot be read, is the affair of what makes it.
  const entries = await readdir(dataDir, { withFileTypes: true }).catch(() => [])
  const foreign = entries
    .filter(each => each.isDirectory() && !each.name.startsWith('.') && !mayBeThere.has(each.name))
    .map(({ name }) => name)
  if (foreign.length > 0)
    throw new ConfigError(
      `INGOT_DATA_DIR: ${dataDir} has folders of another program (${foreign.slice(0, 3).join(', ')}): choose an empty folder, or one that Ingot made`,
    )
}

/** What a file system has in its topmost folder, and what an interrupted first start leaves. */
const mayBeThere: ReadonlySet<string> = new Set(['lost+found', 'postgresql', 'tmp'])

/** @throws ConfigError two servers have one port */
function assertPortsApart(config: Config): void {
  const ports = listeningPorts(config)
  ports.forEach(({ port, setting }, index) => {
    const other = ports.slice(0, index).find(each => each.port === port)
    if (other) throw new ConfigError(`${setting} must be another port than ${other.setting}, not ${port} too`)
  })
}

/**
 * Mails are read on other machines, and what a link in one opens must not follow from the `Host` of a request.
 * @throws ConfigError
 */
export function assertLinksLeadHere({ smtpUrl, externalUrl, incomingMail, imapUrl, incomingMailToken }: Config): void {
  if (smtpUrl && externalUrl === undefined)
    throw new ConfigError('INGOT_SMTP_URL needs INGOT_EXTERNAL_URL, to which the links in mails lead')
  if ((imapUrl || incomingMailToken) && !incomingMail)
    throw new ConfigError('INGOT_IMAP_URL and INGOT_INCOMING_MAIL_TOKEN need INGOT_INCOMING_MAIL, the address that mails are sent to')
}

/**
 * Sites are written by users: below the host of the instance, or above it, one could set cookies that reach the other.
 * @throws ConfigError
 */
export function assertSitesApart({ pagesUrl: sites, externalUrl, hosts, host }: Config): void {
  if (!sites) return
  const names = [host, ...hosts.map(each => each.replace(/:\d+$/, '')), ...(externalUrl ? [new URL(externalUrl).hostname] : [])]
  // Browsers take no cookies for the whole of `localhost`.
  const near = names.find(name => name !== 'localhost' && (isBelow(sites.host, name) || isBelow(name, sites.host)))
  if (near !== undefined || sites.host === 'localhost')
    throw new ConfigError(
      `INGOT_PAGES_URL must have a host that is neither that of the instance nor below or above it (${near ?? 'localhost'}): sites are written by users`,
    )
}

const isBelow = (name: string, above: string): boolean => name === above || name.endsWith(`.${above}`)

/**
 * Makes the data directory, for this user alone. The folders above it have the usual mode: the database's user must be able to pass through
 * them.
 * @throws ConfigError it cannot be made, or this user cannot write into it
 */
export async function makeDataDirectory(directory: string): Promise<void> {
  try {
    await makeFolder(dirname(directory), 0o777)
    await makeFolder(directory, 0o700)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'EEXIST' || code === 'ENOTDIR' ? ': a file is in its place' : ` (${code})`
    throw new ConfigError(`INGOT_DATA_DIR: cannot make the folder ${directory}${reason}`)
  }
  await access(directory, constants.W_OK | constants.X_OK).catch(({ code }) => {
    throw new ConfigError(`INGOT_DATA_DIR: cannot write into ${directory} (${code})`)
  })
}

/**
 * Makes a folder and those above it that are missing, one by one: Node's recursive way never ends where a file system answers that the
 * parent is missing although it is there, as `/proc` does.
 */
async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (await isFolder(path)) return
    const parent = dirname(path)
    if (code !== 'ENOENT' || parent === path || (await isFolder(parent))) throw error
    await makeFolder(parent, 0o777)
    await mkdir(path, { mode })
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isDirectory(),
    () => false,
  )

/** Another program uses the address; the message is one line that says so. */
export class ListenFailure extends Error {
  override name = 'ListenFailure'
}

/** Errors that waiting does not resolve: the address is wrong in the configuration. `port` is the setting of the port. */
const wrongAddresses = (port: string): Readonly<Record<string, string>> => ({
  EADDRNOTAVAIL: 'is no address of this machine: set INGOT_HOST',
  ENOTFOUND: 'is no address that can be found: set INGOT_HOST',
  EACCES: `is not open to this user: set ${port} to 1024 or above`,
})

/** The error to report for a port that cannot be listened on. `setting` is the one of the port. */
export function listenError(error: unknown, { host, port, setting }: { host: string; port: number; setting: string }): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return new ListenFailure(`${host}:${port} is in use: stop what uses it, or set ${setting}`, { cause: error })
  const wrong = wrongAddresses(setting)[code]
  return wrong === undefined ? error : new ConfigError(`${host}:${port} ${wrong}`, { cause: error })
}

/** Looks at the ports before the database and the first account are made, whose password is shown by the start that makes it. */
async function assertPortsFree(config: Config): Promise<void> {
  for (const each of listeningPorts(config)) await assertPortFree(config.host, each)
}

interface ListeningPort {
  readonly port: number
  /** The name of the setting that it comes from. */
  readonly setting: string
}

/** The ports that the settings name; those that the system chooses are free. */
export const listeningPorts = (config: Config): ListeningPort[] =>
  [
    { port: config.port, setting: 'INGOT_PORT' },
    { port: config.sshPort ?? 0, setting: 'INGOT_SSH_PORT' },
    { port: sitesPort(config), setting: 'INGOT_PAGES_PORT' },
  ].filter(({ port }) => port !== 0)

/**
 * Listens on a port for a moment.
 * @throws ConfigError this user cannot listen there
 * @throws ListenFailure it is in use
 */
export async function assertPortFree(host: string, each: ListeningPort): Promise<void> {
  const probe = createServer()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  probe.once('error', reject).listen({ host, port: each.port }, resolve)
  await promise.catch(error => {
    throw listenError(error, { host, ...each })
  })
  await new Promise(closed => probe.close(closed))
}
