/**
 * Starting Ingot: the instance is opened, the first administrator is made, the worker runs, and the application
 * listens. Everything that is opened is closed again by `stop`, in the opposite order.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Config, ConfigError } from './config.ts'
import { enqueue, schedule, startWorker } from './events/worker.ts'
import type { Deps } from './kernel/context.ts'
import { openInstance } from './setup/instance.ts'
import { ensureRoot, type RootCredentials } from './setup/root.ts'
import { tasksOf } from './tasks.ts'

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

/** Starts Ingot; rejects when any part of it cannot start, with everything closed again. */
export async function start({ config, log, ephemeral = false }: StartOptions): Promise<Ingot> {
  const instance = await openInstance({ config, log, ephemeral })
  // Closes in the opposite order, and what is left when one of them cannot be closed.
  const opened = new AsyncDisposableStack()
  const stop = () => opened.disposeAsync()
  opened.defer(instance.close)
  try {
    const { deps } = instance
    const root = await ensureRoot(deps)
    if (config.workers > 0) {
      // What a crash has left, before anybody waits for it; then every minute.
      await enqueue(deps.database.db, 'reconcile_references', {}, { jobKey: 'reconcile_references' })
      const worker = await startWorker({ database: deps.database, tasks: tasksOf(deps), log, concurrency: config.workers, schedule })
      opened.defer(() => worker.stop())
    }
    const app = await buildApp(deps)
    opened.defer(() => closeApp(app))
    const url = await listen(app, config)
    return { app, deps, url, root, failed: instance.failed, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The address is another program's for now; the message is one line that says so. */
export class ListenFailure extends Error {
  override name = 'ListenFailure'
}

/** Addresses that no wait will free: they are wrong in the configuration. */
const wrongAddresses: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'is no address of this machine: set INGOT_HOST',
  ENOTFOUND: 'is no address that can be found: set INGOT_HOST',
  EACCES: 'is not open to this user: set INGOT_PORT to 1024 or above',
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new ListenFailure(`${host}:${port} is in use: stop what uses it, or set INGOT_PORT`, { cause: error })
    throw code in wrongAddresses ? new ConfigError(`${host}:${port} ${wrongAddresses[code]}`, { cause: error }) : error
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
