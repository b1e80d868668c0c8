/** What a start needs of this machine: free ports, a data folder with room, git, and a user without rights. */
import { access, constants, stat, statfs } from 'node:fs/promises'
import { get } from 'node:http'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Config, places } from '../../platform/config.ts'
import { gitVersion } from '../../platform/git/index.ts'
import { assertPortFree, ListenFailure, listeningPorts } from '../setup/before_start.ts'
import { type Finding, type Found, looked, ok, warning, wrong } from './finding.ts'

/** Milliseconds that another program on a port may take to say what it is. */
const PATIENCE = 3_000

/** What ports are called, by their settings. */
const PORTS: Readonly<Record<string, string>> = { INGOT_PORT: 'Port', INGOT_SSH_PORT: 'SSH port', INGOT_PAGES_PORT: 'Port of sites' }

/** The ports, each free or used by an Ingot that runs. */
export const checkPorts = (config: Config): Promise<Finding[]> =>
  Promise.all(
    listeningPorts(config).map(({ port, setting }) =>
      looked(PORTS[setting] ?? setting, `Set ${setting} or INGOT_HOST`, async () => {
        const at = `${config.host}:${port}`
        try {
          await assertPortFree(config.host, { port, setting })
          return ok(`${at} is free`)
        } catch (error) {
          if (!(error instanceof ListenFailure)) throw error
          const isOurs = setting === 'INGOT_PORT' ? await speaksIngot(config.host, port) : await greets(config.host, port)
          return isOurs ? ok(`${at} is used by an Ingot that runs`) : wrong(`${at} is in use`, `Stop what uses it, or set ${setting}`)
        }
      }),
    ),
  )

/** An address to connect to for one that is listened on. */
const reachable = (host: string): string => ({ '0.0.0.0': '127.0.0.1', '::': '::1' })[host] ?? host

async function speaksIngot(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const request = get({ host: reachable(host), port, path: '/-/health', timeout: PATIENCE, agent: false }, answer =>
    text(answer).then(
      body => resolve(body === 'Ingot OK'),
      () => resolve(false),
    ),
  )
  request.on('timeout', () => request.destroy()).on('error', () => resolve(false))
  return promise
}

async function greets(host: string, port: number): Promise<boolean> {
  const socket = connect(port, reachable(host))
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket
    .setTimeout(PATIENCE, () => socket.destroy())
    .on('data', data => resolve(data.toString('latin1').startsWith('SSH-2.0-Ingot')))
    .on('close', () => resolve(false))
    .on('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** Bytes of a disk below which it is nearly full, and below which nothing can be kept. */
const LITTLE = 2 * 1024 ** 3
const TOO_LITTLE = 200 * 1024 ** 2

const inGigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`

/** The data folder: rights, room, and its key. A folder that is missing is made by the first start. */
export async function checkDataFolder({ dataDir, secretKey, ...config }: Config): Promise<Finding[]> {
  const folder = await looked('Data folder', 'Give the user of Ingot a folder that it may write into, or set INGOT_DATA_DIR', async () => {
    const found = await stat(dataDir).catch(() => undefined)
    const nearest = found ? dataDir : await nearestFolder(dataDir)
    if (found && !found.isDirectory()) return wrong(`${dataDir} is no folder`, 'Set INGOT_DATA_DIR')
    try {
      await access(nearest, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (error) {
      return wrong(
        `${nearest} cannot be written to (${(error as NodeJS.ErrnoException).code})`,
        'Give it to the user of Ingot, or set INGOT_DATA_DIR',
      )
    }
    const room = await roomIn(nearest)
    if (!found) return room ?? ok(`${dataDir} is made by the first start`)
    // Others may pass through it: started as root, the embedded database runs as another user.
    if ((found.mode & 0o066) !== 0) return warning(`${dataDir} is open to other users of this machine`, `chmod 700 ${dataDir}`)
    return room ?? ok(`${dataDir}, ${inGigabytes(await freeIn(dataDir))} free`)
  })
  const key = await looked('Secret key', 'Set INGOT_SECRET_KEY, or put back the file of a backup', async () => {
    if (secretKey) return ok('from INGOT_SECRET_KEY')
    const path = places({ ...config, dataDir, secretKey }).secretKey
    const found = await stat(path).catch(() => undefined)
    if (!found) return ok('made by the first start')
    return (found.mode & 0o077) === 0 ? ok(path) : warning(`${path} can be read by other users of this machine`, `chmod 600 ${path}`)
  })
  return [folder, key]
}

const freeIn = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** What is to be said about the room of a disk; undefined where there is enough. */
async function roomIn(folder: string): Promise<Found | undefined> {
  const free = await freeIn(folder)
  if (free < TOO_LITTLE) return wrong(`${folder} has ${inGigabytes(free)} left`, 'Make room, or move the data folder to a larger disk')
  return free < LITTLE
    ? warning(`${folder} has ${inGigabytes(free)} left`, 'Make room, or move the data folder to a larger disk')
    : undefined
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path)
  return parent === path || (await stat(parent).catch(() => undefined)) ? parent : nearestFolder(parent)
}

/** The oldest git that Ingot works with. */
const OLDEST_GIT = [2, 39] as const

/** Git, and the user that this command runs as. */
export const checkPrograms = async (): Promise<Finding[]> => [
  await looked('git', 'Install git 2.39 or newer, where the PATH of Ingot finds it', async () => {
    const version = await gitVersion()
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const isOld = major < OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor < OLDEST_GIT[1])
    return isOld ? wrong(`git ${version} is too old`, 'Install git 2.39 or newer') : ok(`git ${version}`)
  }),
  await looked('User', 'Start Ingot as an ordinary user', () =>
    process.getuid?.() === 0
      ? warning('root: a fault of Ingot would be a fault of the whole machine', 'Start Ingot as an ordinary user where you can')
      : ok('an ordinary user'),
  ),
]
