/**
 * The PostgreSQL server that Ingot bundles: initialised at the first start, reached through a Unix socket, stopped when Ingot ends.
 *
 * It recovers from `kill -9` of Ingot, of the server or of both, and refuses to share a data directory with another running Ingot.
 */
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server as NetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { changeOwner, type User } from './account.ts'
import { packCluster } from './archive.ts'
import { clusterIn, ensureCluster } from './cluster.ts'
import { EmbeddedError } from './error.ts'
import { startGuard } from './guard.ts'
import { openHome } from './home.ts'
import { awaitPredecessor, forgetOwner, ownerSocket, recordOwner } from './pidfile.ts'
import { urlOf } from './running.ts'
import { type Server, startServer } from './server.ts'

export { EmbeddedError }

export type EmbeddedOptions = {
  /** Ingot's data directory; the database takes `postgresql` in it. */
  dataDir: string
  log: Log
  /** The data are removed when the server stops, so no write is flushed to disk. Default false. */
  isEphemeral?: boolean
  /** Connections that it takes at least. Default 60. */
  connections?: number
  /** An archive of a cluster to start from if the data directory has none (embedded/archive.ts). Only for ephemeral databases. */
  prepared?: string | undefined
  /** Where root keeps data that the database's user cannot reach in place. Default /var/lib/ingot. */
  shelter?: string
}

export type Embedded = {
  /** Connection string, valid for the lifetime of this object. */
  url: string
  /** Pid of the server; it changes with a restart. */
  readonly pid: number
  /** Stops the server cleanly and resolves when it has ended. Connected clients are disconnected. */
  stop(): Promise<void>
  /** Resolves when the server has ended for good: null after stop(), otherwise the reason why it could not be kept running. */
  exited: Promise<EmbeddedError | null>
}

const standardShelter = '/var/lib/ingot'

/** A server that dies more often than this while running for `restartWindow` milliseconds in all is not started again. */
const maxRestarts = 5
const restartWindow = 60_000

/** How long the remains of a killed server may delay the start of a new one, in milliseconds. */
const remainsPatience = 15_000

/** Some systems limit a socket path to 104 bytes; this is what PostgreSQL appends to the directory. */
const maxSocketDir = 104 - '/.s.PGSQL.5432'.length - 1

/**
 * Starts the embedded server, creates its cluster if there is none, and keeps it running until `stop()` or the end of this process.
 * @throws EmbeddedError one line: no binaries for this platform, directory not usable, another Ingot on the same directory, server does not
 * start
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, log, isEphemeral = false, connections = 0, prepared, shelter = standardShelter } = options
  const home = await openHome(dataDir, shelter, log)
  await ensureCluster(home, { isEphemeral, prepared })

  const socketDir = await makeSocketDir(home.user)
  const owner = await listenAsOwner(socketDir)
  const guard = startGuard(socketDir, isEphemeral ? home.dir : undefined, home.user, log)
  const exited = Promise.withResolvers<EmbeddedError | null>()
  let isStopping = false

  async function stop(): Promise<void> {
    isStopping = true
    // While the server runs: the next Ingot records itself as soon as it has ended.
    await forgetOwner(clusterIn(home))
    await guard.stop()
    owner.close()
    await kept
    // The guard has emptied it, but another user than the guard owns the directory.
    if (isEphemeral) await rm(home.dir, { recursive: true, force: true })
    exited.resolve(null)
  }

  /** Starts a server. The remains of a killed one (child processes, shared memory) may make the first attempts fail. */
  async function launch(): Promise<Server> {
    const deadline = Date.now() + remainsPatience
    for (;;) {
      await awaitPredecessor(clusterIn(home), socketDir, log)
      if (home.user) await changeOwner(clusterIn(home), home.user)
      // A server started now would have no guard, and nobody would stop it. Nothing is waited for between this and its start.
      if (isStopping) throw new EmbeddedError('The database is stopping')
      try {
        return await startServer(home, guard, { socketDir, isEphemeral, connections }, log)
      } catch (error) {
        if (isStopping || Date.now() > deadline) throw error
        log.debug({ error }, 'the database server did not start, trying again')
        await delay(100)
      }
    }
  }

  async function keepRunning(): Promise<void> {
    const restarts: number[] = []
    // Time spent starting does not count: on a slow machine it would hide that the server keeps dying.
    let hasRun = 0
    for (;;) {
      const begun = performance.now()
      const how = await server.ended
      if (isStopping) return
      hasRun += performance.now() - begun
      restarts.push(hasRun)
      if (restarts.length > maxRestarts && restarts.at(-1)! - restarts.at(-1 - maxRestarts)! < restartWindow) {
        throw new EmbeddedError(`The database server keeps dying (${how})`)
      }
      log.error({ how }, 'the database server died, starting it again')
      server = await launch()
      log.info({ pid: server.pid }, 'the database server runs again')
    }
  }

  let server: Server
  try {
    server = await launch()
    await recordOwner(clusterIn(home), socketDir)
  } catch (error) {
    owner.close()
    await guard.stop()
    throw error
  }
  const kept = keepRunning().catch(async error => {
    if (isStopping) return
    owner.close()
    await guard.stop()
    exited.resolve(
      error instanceof EmbeddedError ? error : new EmbeddedError('The database server could not be started again', { cause: error }),
    )
  })

  return {
    url: urlOf(socketDir),
    get pid() {
      return server.pid
    },
    stop,
    exited: exited.promise,
  }
}

/**
 * Packs the cluster of a data directory, whose server has been stopped, into an archive for `prepared`.
 * @throws EmbeddedError, or the system's error where the file cannot be written
 */
export async function packEmbedded({ dataDir, log, shelter = standardShelter }: EmbeddedOptions, file: string): Promise<void> {
  const home = await openHome(dataDir, shelter, log)
  await packCluster(clusterIn(home), file, home.user)
}

/** Makes a socket directory in the temporary directory, because the path of the data directory may be too long for a socket. */
async function makeSocketDir(user: User | undefined): Promise<string> {
  const name = 'ingot-XXXXXX'
  const parent = join(tmpdir(), name).length <= maxSocketDir ? tmpdir() : '/tmp'
  const dir = await mkdtemp(join(parent, 'ingot-'))
  if (user) await chown(dir, user.uid, user.gid)
  return dir
}

/** Listens on the owner socket, on which the next Ingot on this data directory checks whether this one is alive. */
async function listenAsOwner(socketDir: string): Promise<NetServer> {
  const owner = createServer(connection => connection.end())
  const listening = Promise.withResolvers<void>()
  owner.once('error', listening.reject).listen(ownerSocket(socketDir), listening.resolve)
  await listening.promise.catch(async cause => {
    await rm(socketDir, { recursive: true })
    throw new EmbeddedError(`Cannot make a socket in ${socketDir}`, { cause })
  })
  return owner.unref()
}
