/**
 * What every command of the program needs of an instance: its database, keys and repositories. `start` serves it;
 * `seed`, `admin` and `why` use it for a moment, also while another process serves it.
 */
import { chmod, mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import { openDatabase } from '../../platform/db/connection.ts'
import { runningServerUrl } from '../../platform/db/embedded/running.ts'
import { type Embedded, startEmbedded } from '../../platform/db/embedded.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { openStorage } from '../../platform/git/storage/storage.ts'
import { RepositoryStorages } from '../../platform/git/storages.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { RateLimiter } from '../../platform/kernel/request/rate_limit.ts'
import { Secrets } from '../../platform/kernel/secrets.ts'
import { openObjectStore } from '../../platform/object_store/open.ts'
import '../ports.ts'
import { loadInstanceKeys } from './instance_key.ts'
import { preparedDatabase } from './prepared_database.ts'

export interface InstanceOptions {
  readonly config: Config
  readonly log: FastifyBaseLogger
  /** The data may be lost at a power failure: nothing waits for the disk. Default false. */
  readonly ephemeral?: boolean
  /** Where another process serves the instance from the embedded database, use that one's. Default false: refuse. */
  readonly shared?: boolean
}

/** An instance that is open. */
export interface Instance {
  readonly deps: Deps
  /** Resolves when the database is gone for good, with the reason. */
  readonly failed: Promise<Error>
  /** Closes what was opened, in the opposite order. */
  close(): Promise<void>
}

/** Opens an instance, and brings its database up to date. */
export async function openInstance({ config, log, ephemeral = false, shared = false }: InstanceOptions): Promise<Instance> {
  // Closes in the opposite order, and what is left when one of them cannot be closed.
  const opened = new AsyncDisposableStack()
  const close = () => opened.disposeAsync()
  try {
    await makeDataDirectory(config.dataDir)
    const [key, ...formerKeys] = await loadInstanceKeys(config)
    const elsewhere = config.databaseUrl?.reveal() ?? (shared ? await runningServerUrl(config.dataDir) : undefined)
    let embedded: Embedded | undefined
    if (!elsewhere) {
      const prepared = ephemeral ? await preparedDatabase(log) : undefined
      embedded = await startEmbedded({ dataDir: config.dataDir, log, isEphemeral: ephemeral, prepared })
      opened.defer(embedded.stop)
    }
    const url = elsewhere ?? (embedded as Embedded).url
    const database = await openDatabase({ url, poolSize: config.databasePoolSize, log })
    opened.defer(() => database.close())
    await migrate({ url, log })

    await makePrivate(log, [places(config).repositories, ...(config.objectStore ? [] : [places(config).objects])])
    const storage = openStorage({ name: 'default', root: join(places(config).repositories, 'default') })
    const storages = new RepositoryStorages([storage])
    opened.defer(() => storages.close())
    const objects = await openObjectStore(config)
    opened.defer(() => objects.close())
    if (embedded) {
      // Whoever starts the embedded database is alone on the data directory: what an earlier process left there is nobody's.
      await storage.sweep()
      await rm(places(config).uploads, { recursive: true, force: true })
    }
    return {
      deps: {
        config,
        database,
        storages,
        objects,
        secrets: new Secrets(key, formerKeys),
        limiter: new RateLimiter(config.rateLimit),
        http: { port: config.port },
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

async function makeDataDirectory(directory: string): Promise<void> {
  try {
    // The folders above it are made as any other: the database's own user must be able to pass through them.
    await mkdir(dirname(directory), { recursive: true })
    await mkdir(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError(`INGOT_DATA_DIR: cannot make the folder ${directory} (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Makes folders that only this user may enter, also where an earlier version made them for all. */
async function makePrivate(log: FastifyBaseLogger, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { mode } = await stat(folder)
    if ((mode & 0o077) === 0) continue
    await chmod(folder, 0o700).catch(error => log.warn({ err: error, folder }, 'other users of this machine may enter the folder'))
  }
}

/** When the embedded server is gone for good; a server elsewhere may come back, so that never. */
async function endOf(embedded: Embedded | undefined): Promise<Error> {
  const reason = await embedded?.exited
  return reason ?? new Promise<never>(() => {})
}
