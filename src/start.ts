/**
 * Starting Ingot: database, keys, repositories and worker are opened, the first administrator is made, and the
 * application listens. Everything that is opened is closed again by `stop`, in the opposite order.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Config, places } from './config.ts'
import { type Database, openDatabase } from './db/connection.ts'
import { startEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { startWorker } from './events/worker.ts'
import { openStorage } from './git/storage/storage.ts'
import { RepositoryStorages } from './git/storages.ts'
import type { Deps } from './kernel/context.ts'
import { Secrets } from './kernel/secrets.ts'
import { loadInstanceKey } from './setup/instance_key.ts'
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
  /** Finishes what is under way and closes everything. */
  stop(): Promise<void>
}

export interface StartOptions {
  readonly config: Config
  readonly log: FastifyBaseLogger
  /** The data may be lost at a power failure: nothing waits for the disk (`start --ephemeral`). */
  readonly ephemeral?: boolean
}

export async function start({ config, log, ephemeral = false }: StartOptions): Promise<Ingot> {
  const opened: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o750 })
    const key = await loadInstanceKey(config)
    const embedded = config.databaseUrl ? undefined : await startEmbedded({ dataDir: config.dataDir, log, isEphemeral: ephemeral })
    if (embedded) opened.push(() => embedded.stop())
    const database: Database = await openDatabase({
      url: config.databaseUrl ?? (embedded as { url: string }).url,
      poolSize: config.databasePoolSize,
      log,
    })
    opened.push(() => database.close())
    await migrate(database)

    const storage = openStorage({ name: 'default', root: join(places(config).repositories, 'default') })
    const storages = new RepositoryStorages([storage])
    opened.push(() => storages.close())
    const deps: Deps = { config, database, storages, secrets: new Secrets(key), log, now: () => new Date() }
    const root = await ensureRoot(deps)

    if (config.workers > 0) {
      const worker = await startWorker({ database, tasks: tasksOf(deps), log, concurrency: config.workers })
      opened.push(() => worker.stop())
    }
    const app = await buildApp(deps)
    opened.push(() => app.close())
    const url = await app.listen({ host: config.host, port: config.port })
    return {
      app,
      deps,
      url,
      root,
      failed: embedded ? embedded.exited.then(error => error ?? new Promise<never>(() => {})) : new Promise<never>(() => {}),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
