/**
 * Starting Ingot: the instance is opened, the first administrator is made, the worker runs, and the application
 * listens. Everything that is opened is closed again by `stop`, in the opposite order.
 */
import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type SshOptions, type SshServer, startSshServer } from '../code/ssh/server.ts'
import { type Config, ConfigError, places, runnerEnvironment } from '../platform/config.ts'
import { transact } from '../platform/db/transact.ts'
import { enqueue, schedule } from '../platform/events/worker.ts'
import { type Deps, systemContext } from '../platform/kernel/context.ts'
import { ObjectStoreUnfit } from '../platform/object_store/store.ts'
import { startBuiltinRunner } from '../runner/child.ts'
import { liveInstanceRunnersToken } from '../spaces/runners_tokens/commands.ts'
import { buildApp } from './app.ts'
import { openInstance } from './setup/instance.ts'
import { ensureRoot, type RootCredentials } from './setup/root.ts'
import { loadSshHostKey } from './setup/ssh_host_key.ts'
import { startWork } from './tasks.ts'

/** A running instance. */
export interface Ingot {
  readonly app: FastifyInstance
  readonly deps: Deps
  /** Where it listens, `http://127.0.0.1:8080`. */
  readonly url: string
  /** How `root` signs in; the secrets only when they were made at this start. */
  readonly root: RootCredentials
  /** Resolves when the instance cannot go on, with the reason. */
  readonly failed: Promise<Error>
  /** Finishes what is under way, for ten seconds at most, and closes everything. */
  stop(): Promise<void>
}

export interface StartOptions {
  readonly config: Config
  readonly log: FastifyBaseLogger
  /** The data may be lost at a power failure: nothing waits for the disk (`start --ephemeral`). */
  readonly ephemeral?: boolean
}

/** How long requests under way may take once Ingot is told to stop, in milliseconds. */
const PATIENCE = 10_000

/** How long each part may take to close, in milliseconds: longer than any takes that does close. */
const CLOSING = 45_000

/**
 * How a part is closed: within a time, after which the others are closed all the same. What a part waits for may be gone with the
 * database, and may keep no timer of its own: without this one the program would then end in the middle of it.
 */
const closing = (part: string, log: FastifyBaseLogger, close: () => Promise<unknown>) => async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    log.error({ part }, 'did not close in time')
    resolve()
  }, CLOSING)
  try {
    await Promise.race([close(), promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Starts Ingot; rejects when any part of it cannot start, with everything closed again. */
export async function start({ config, log, ephemeral = false }: StartOptions): Promise<Ingot> {
  const instance = await openInstance({ config, log, ephemeral })
  // Closes in the opposite order, and what is left when one of them cannot be closed.
  const opened = new AsyncDisposableStack()
  const stop = () => opened.disposeAsync()
  opened.defer(closing('instance', log, instance.close))
  try {
    const { deps } = instance
    await checkObjectStore(deps)
    const root = await ensureRoot(deps)
    if (config.workers > 0) {
      // What a crash has left, before anybody waits for it; then every minute.
      await enqueue(deps.database.db, 'reconcile_references', {}, { jobKey: 'reconcile_references' })
      const worker = await startWork(deps, { concurrency: config.workers, schedule })
      opened.defer(closing('worker', log, () => worker.stop()))
    }
    const app = await buildApp(deps)
    opened.defer(closing('app', log, () => closeApp(app)))
    const url = await listen(app, config)
    deps.http.port = (app.server.address() as AddressInfo).port
    if (config.sshPort !== undefined) {
      const hostKey = await loadSshHostKey(config)
      const ssh = await listenForSsh(deps, { hostKey, host: config.host, url, port: config.sshPort })
      opened.defer(closing('ssh', log, () => ssh.stop(PATIENCE)))
    }
    if (config.builtinRunner) {
      const token = async () => (await transact(deps.database.db, db => liveInstanceRunnersToken(systemContext(deps, db)))).reveal()
      const { inherited } = runnerEnvironment()
      const endRunner = await startBuiltinRunner({ url, token, builds: places(config).runner, inherited, ephemeral, log })
      opened.defer(closing('runner', log, endRunner))
    }
    if (process.getuid?.() === 0)
      log.warn(
        'Ingot runs as root: a fault in it is a fault of the whole machine. Start it as an ordinary user where you can (SECURITY.md)',
      )
    return { app, deps, url, root, failed: instance.failed, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A store that cannot be used is found now, and not by the first person who uploads something. */
async function checkObjectStore({ objects }: Deps): Promise<void> {
  try {
    await objects.check()
  } catch (error) {
    throw error instanceof ObjectStoreUnfit ? new ConfigError(`INGOT_OBJECT_STORE: ${error.message}`, { cause: error }) : error
  }
}

/** The address is another program's for now; the message is one line that says so. */
export class ListenFailure extends Error {
  override name = 'ListenFailure'
}

/** Addresses that no wait will free: they are wrong in the configuration. `port` is the setting of the port. */
const wrongAddresses = (port: string): Readonly<Record<string, string>> => ({
  EADDRNOTAVAIL: 'is no address of this machine: set INGOT_HOST',
  ENOTFOUND: 'is no address that can be found: set INGOT_HOST',
  EACCES: `is not open to this user: set ${port} to 1024 or above`,
})

/** What to tell of a port that cannot be listened on. */
function listenError(error: unknown, { host, port, setting }: { host: string; port: number; setting: string }): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return new ListenFailure(`${host}:${port} is in use: stop what uses it, or set ${setting}`, { cause: error })
  const wrong = wrongAddresses(setting)[code]
  return wrong === undefined ? error : new ConfigError(`${host}:${port} ${wrong}`, { cause: error })
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    throw listenError(error, { host, port, setting: 'INGOT_PORT' })
  }
}

async function listenForSsh(deps: Deps, options: SshOptions): Promise<SshServer> {
  try {
    return await startSshServer(deps, options)
  } catch (error) {
    throw listenError(error, { ...options, setting: 'INGOT_SSH_PORT' })
  }
}

/** Takes no more requests, waits for those under way, and cuts off those that take too long. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), PATIENCE)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}
