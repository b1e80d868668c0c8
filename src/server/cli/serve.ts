/** `ingot start`: serves until it is stopped. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, places } from '../../platform/config.ts'
import { sshUrlOf } from '../../platform/kernel/context.ts'
import { openLog } from '../../platform/log.ts'
import { version } from '../../platform/system/version.ts'
import { type Ingot, start } from '../start.ts'
import { CommandFailure } from './failures.ts'

export interface ServeOptions {
  readonly ephemeral?: true
  readonly json?: true
}

/** Runs a server until SIGINT or SIGTERM; rejects if it cannot start or cannot continue. */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  if (!options.ephemeral) return serveConfigured(config, options)
  const dataDir = await mkdtemp(join(tmpdir(), 'ingot-ephemeral-'))
  try {
    // The configured database and folder are not used: nothing of this instance survives it.
    await serveConfigured(Object.freeze({ ...config, dataDir, databaseUrl: undefined }), options)
  } finally {
    // The database may be behind a link elsewhere (platform/db/embedded/home.ts).
    const database = await realpath(places({ ...config, dataDir }).database).catch(() => dataDir)
    for (const folder of [database, dataDir]) await rm(folder, { recursive: true, force: true })
  }
}

async function serveConfigured(config: Config, options: ServeOptions): Promise<void> {
  const log = openLog(config.logLevel)
  // Registered from the beginning: a signal during the start still closes what has been opened.
  const stopped = Promise.withResolvers<undefined>()
  const stop = () => stopped.resolve(undefined)
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    const ingot = await start({ config, log, ephemeral: options.ephemeral === true })
    process.stdout.write(options.json ? `${JSON.stringify(greetingData(ingot))}\n` : greeting(ingot))
    const failure = await Promise.race([stopped.promise, ingot.failed])
    await ingot.stop()
    if (failure) throw new CommandFailure(failure.message, { cause: failure })
  } catch (error) {
    log.debug({ err: error }, 'the server ended')
    throw error
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

const greetingData = ({ url, deps, root }: Ingot) => ({
  url,
  ssh_port: deps.ssh.port ?? null,
  username: root.username,
  password: root.password ?? null,
  token: root.token ?? null,
  credentials_file: root.file ?? null,
  pid: process.pid,
})

function greeting({ url, deps, root }: Ingot): string {
  const address = deps.config.externalUrl ?? url
  const password = root.password ?? (root.file ? undefined : 'as set by INGOT_ROOT_PASSWORD at the first start')
  const lines: [string, string | undefined][] = [
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
