/** `ingot start`: serves until it is stopped. */
import cluster from 'node:cluster'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import { sshUrlOf } from '../../platform/kernel/context.ts'
import { openLog } from '../../platform/log.ts'
import { version } from '../../platform/system/version.ts'
import { serveBesideOthers } from '../processes/further.ts'
import { type Ingot, start } from '../start.ts'
import { type ReadWorld, readWorld } from '../worlds/read.ts'
import { CommandFailure } from './failures.ts'

export interface ServeOptions {
  readonly ephemeral?: true
  readonly json?: true
  /** File of the world that an ephemeral server begins with. */
  readonly world?: string
  /** File that the requests of an ephemeral server are added to. */
  readonly record?: string
  /** It ends when its standard input does: the program that started it has ended. */
  readonly attached?: true
}

/** How long what could not be closed may keep the process after everything has been tried, in milliseconds. */
const REMAINS = 5_000

/** Runs a server until SIGINT or SIGTERM; rejects if it cannot start or cannot continue. The process ends soon afterwards in any case. */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  try {
    await serveUntilStopped(config, options)
  } finally {
    // A supervisor waits for the end of the process. Where something still holds it (a connection that was not given back), it ends all the same,
    // and the guard of the embedded database stops that.
    setTimeout(() => {
      openLog(config.logLevel).error('something that was not closed held the process: it ends all the same')
      process.exit()
    }, REMAINS).unref()
  }
}

async function serveUntilStopped(config: Config, options: ServeOptions): Promise<void> {
  for (const name of ['world', 'record', 'attached'] as const)
    if (options[name] !== undefined && !options.ephemeral) throw new ConfigError(`--${name} is for --ephemeral alone`)
  // A process that serves requests beside others has the command line of the first one.
  if (cluster.isWorker) return serveBesideOthers(config, openLog(config.logLevel))
  if (!options.ephemeral) return serveConfigured(config, options)
  const world = options.world === undefined ? undefined : await readWorld(options.world)
  const dataDir = await mkdtemp(join(tmpdir(), 'ingot-ephemeral-'))
  try {
    // The configured database and folder are not used: nothing of this instance survives it.
    await serveConfigured(Object.freeze({ ...config, dataDir, databaseUrl: undefined }), options, world)
  } finally {
    // The database may be behind a link elsewhere (platform/db/embedded/home.ts).
    const database = await realpath(places({ ...config, dataDir }).database).catch(() => dataDir)
    for (const folder of [database, dataDir]) await rm(folder, { recursive: true, force: true })
  }
}

async function serveConfigured(config: Config, options: ServeOptions, world?: ReadWorld): Promise<void> {
  const log = openLog(config.logLevel)
  // Registered from the beginning: a signal during the start still closes what has been opened.
  const stopped = Promise.withResolvers<undefined>()
  const stop = () => stopped.resolve(undefined)
  process.on('SIGINT', stop).on('SIGTERM', stop)
  if (options.attached) process.stdin.resume().once('end', stop).once('error', stop)
  try {
    const ephemeral = options.ephemeral === true
    // Its faults, and what makes it new, are those of one process.
    const httpProcesses = ephemeral ? 1 : config.httpProcesses
    const ingot = await start({ config, log, ephemeral, world, record: options.record, httpProcesses })
    process.stdout.write(options.json ? `${JSON.stringify(greetingData(ingot))}\n` : greeting(ingot))
    const failure = await Promise.race([stopped.promise, ingot.failed])
    await ingot.stop()
    if (failure) throw new CommandFailure(failure.message, { cause: failure })
  } catch (error) {
    log.debug({ err: error }, 'the server ended')
    throw error
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    if (options.attached) process.stdin.destroy()
  }
}

const greetingData = ({ url, deps, root, people }: Ingot) => ({
  url,
  ssh_port: deps.ssh.port ?? null,
  username: root.username,
  password: root.password ?? null,
  token: root.token ?? null,
  credentials_file: root.file ?? null,
  people: Object.fromEntries(people.map(({ id, username, token }) => [username, { id, token: token.reveal() }])),
  pid: process.pid,
})

function greeting({ url, deps, root }: Ingot): string {
  const address = deps.config.externalUrl ?? url
  const password = root.password ?? (root.file ? undefined : 'as set by INGOT_ROOT_PASSWORD at the first start')
  const lines: [string, string | undefined][] = [
    // What a proxy in front of it is to lead to.
    ['Listens', address === url ? undefined : `at ${url}`],
    ['API', `${address}/api/v4`],
    ['API docs', `${address}/-/docs`],
    ['SSH', deps.ssh.port === undefined ? undefined : `${sshUrlOf(address, deps)}<path of a project>.git`],
    ['Sign in', `${address}/users/sign_in as ${root.username}`],
    ['Password', password],
    ['Token', root.token],
    ['Kept in', root.file],
  ]
  const rows = lines.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(10)}${value}\n`]))
  return [`Ingot ${version} runs at ${address}\n`, ...rows].join('')
}
