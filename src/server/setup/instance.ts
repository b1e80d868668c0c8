/**
 * Opens the parts of an instance that every command of the program needs: its database, keys and repositories. `start` serves it; `seed`,
 * `admin` and `why` use it briefly, also while another process serves it.
 */
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { nameCommitEmails } from '../../platform/application_settings/commands.ts'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import { openDatabase } from '../../platform/db/connection.ts'
import { type Embedded, startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { runningServerUrl } from '../../platform/db/embedded/running.ts'
import { isBackupRunning } from '../../platform/db/migrating/backup_lock.ts'
import { migrate } from '../../platform/db/migrating/migrate.ts'
import { showPresence } from '../../platform/events/lease.ts'
import { openStorage, RepositoryStorages } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { type LimiterParts, RateLimiter } from '../../platform/kernel/request/rate_limit.ts'
import { Secrets } from '../../platform/kernel/secrets.ts'
import { openObjectStore } from '../../platform/object_store/open.ts'
import '../ports.ts'
import { assertOwnFolder, assertRestored, makeDataDirectory } from './before_start.ts'
import { connectionsOf, KEPT } from './connections.ts'
import { assertKeyFits, loadInstanceKeys } from './instance_key.ts'
import { preparedDatabase } from './prepared_database.ts'

export interface InstanceOptions {
  readonly config: Config
  readonly log: FastifyBaseLogger
  /** The data may be lost at a power failure: no write is flushed to disk. Default false. */
  readonly ephemeral?: boolean
  /** If another process serves the instance from the embedded database, use that database. Default false: refuse. */
  readonly shared?: boolean
  /** Refuse where there is no instance yet instead of making one. Default false. */
  readonly existing?: boolean
  /** Where callers are counted; default: in this process. */
  readonly limiterParts?: LimiterParts
  /** Leave the database as it is, older or newer: for commands that only read it. Default false: migrate it. */
  readonly asItIs?: boolean
}

/** An open instance. */
export interface Instance {
  readonly deps: Deps
  /** Resolves when the database has ended for good, with the reason. */
  readonly failed: Promise<Error>
  /** Closes everything that was opened, in reverse order. */
  close(): Promise<void>
}

/**
 * Opens an instance and migrates its database.
 * @throws ConfigError the settings cannot be used, or there is none although one must exist
 */
export async function openInstance({
  config,
  log,
  ephemeral = false,
  shared = false,
  existing = false,
  asItIs = false,
  limiterParts,
}: InstanceOptions): Promise<Instance> {
  // Closes in reverse order, and continues if a part cannot be closed.
  const opened = new AsyncDisposableStack()
  const close = () => opened.disposeAsync()
  try {
    if (existing) await assertExists(config)
    assertRestored(config)
    await assertOwnFolder(config)
    await makeDataDirectory(config.dataDir)
    const isKeyNew = !config.secretKey && !existsSync(places(config).secretKey)
    const secrets = secretsOf(await loadInstanceKeys(config))
    const elsewhere = config.databaseUrl?.reveal() ?? (shared ? await runningServerUrl(config.dataDir) : undefined)
    let embedded: Embedded | undefined
    if (!elsewhere) {
      const prepared = ephemeral ? await preparedDatabase(log) : undefined
      embedded = await startEmbedded({ dataDir: config.dataDir, log, isEphemeral: ephemeral, prepared, connections: connectionsOf(config) })
      opened.defer(embedded.stop)
    }
    const url = elsewhere ?? (embedded as Embedded).url
    const database = await openDatabase({ url, poolSize: config.databasePoolSize, kept: KEPT, log })
    opened.defer(() => database.close())
    if (!asItIs) {
      await migrate({ url, log })
      await assertKeyFits(database.db, secrets, config, isKeyNew)
      await nameCommitEmails(database.db, config.externalUrl)
    }
    const presence = showPresence(database, log)
    opened.defer(() => presence.release())

    await makePrivate(log, [places(config).repositories, ...(config.objectStore ? [] : [places(config).objects])])
    const mayDelete = async () => !(await isBackupRunning(database.db))
    const storage = openStorage({ name: 'default', root: join(places(config).repositories, 'default'), mayRemove: mayDelete })
    const storages = new RepositoryStorages([storage])
    opened.defer(() => storages.close())
    const objects = await openObjectStore(config, mayDelete)
    opened.defer(() => objects.close())
    if (embedded) {
      // The process that starts the embedded database is alone on the data directory, so leftovers of earlier processes can be removed.
      await storage.sweep()
      await rm(places(config).uploads, { recursive: true, force: true })
    }
    return {
      deps: {
        config,
        database,
        storages,
        objects,
        secrets,
        limiter: new RateLimiter(config.rateLimit, limiterParts),
        http: { port: config.port, isStopping: false },
        ssh: { port: config.sshPort || undefined },
        log,
        now: () => new Date(),
      },
      failed: endOf(embedded),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const secretsOf = ([key, ...former]: readonly [Buffer, ...Buffer[]]): Secrets => new Secrets(key, former)

async function assertExists(config: Config): Promise<void> {
  const wanted = config.databaseUrl ? config.dataDir : places(config).database
  if (await lstat(wanted).catch(() => undefined)) return
  throw new ConfigError(`there is no instance in ${config.dataDir}: name its data folder with --data-dir`)
}

/** Creates folders that only this user may enter, and restricts those that an earlier version created for all. */
async function makePrivate(log: FastifyBaseLogger, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { mode } = await stat(folder)
    if ((mode & 0o077) === 0) continue
    await chmod(folder, 0o700).catch(error => log.warn({ err: error, folder }, 'other users of this machine may enter the folder'))
  }
}

/** Resolves when the embedded server has ended for good; never for an external server, which may come back. */
async function endOf(embedded: Embedded | undefined): Promise<Error> {
  const reason = await embedded?.exited
  return reason ?? new Promise<never>(() => {})
}
