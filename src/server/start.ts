/**
 * Starts Ingot: opens the instance, creates the first administrator, runs the worker, and listens. `stop` closes everything in reverse
 * order.
 */
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { reconcileAfterStart } from '../code/ref_updates/reconcile.ts'
import { type SshOptions, type SshServer, startSshServer } from '../code/ssh/server.ts'
import { type SitesServer, startSitesServer } from '../delivery/sites/serving/server.ts'
import { providersOf } from '../identity/providers/file.ts'
import { ensureSigningKey } from '../identity/signing_keys/commands.ts'
import { type Config, ConfigError, places, runnerEnvironment, type SitesAddress } from '../platform/config.ts'
import { transact } from '../platform/db/transact.ts'
import { schedule } from '../platform/events/worker.ts'
import { sitesPort } from '../platform/kernel/addresses/site_address.ts'
import { prepareDrain } from '../platform/kernel/connections/drain.ts'
import { type Deps, systemContext } from '../platform/kernel/context.ts'
import { ObjectStoreUnfit } from '../platform/object_store/store.ts'
import { ensureAssets } from '../platform/pages/assets/ensure.ts'
import { startBuiltinRunner } from '../runner/index.ts'
import { liveInstanceRunnersToken } from '../spaces/runners_tokens/commands.ts'
import { buildApp } from './app.ts'
import { endpoints } from './endpoints.ts'
import { assertStartable, listenError } from './setup/before_start.ts'
import { openInstance } from './setup/instance.ts'
import { ensureRoot, type RootCredentials } from './setup/root.ts'
import { loadSshHostKey } from './setup/ssh_host_key.ts'
import { startTaskWorker } from './tasks.ts'
import { type Background, TestBench } from './testing/bench.ts'
import { testingEndpoints } from './testing/routes.ts'
import { type MadePerson, makeWorld } from './worlds/make/world.ts'
import type { ReadWorld } from './worlds/read.ts'

/** A running instance. */
export interface Ingot {
  readonly app: FastifyInstance
  readonly deps: Deps
  /** The URL it listens on, `http://127.0.0.1:8080`. */
  readonly url: string
  /** The credentials of `root`; the secrets only if this start generated them. */
  readonly root: RootCredentials
  /** The users of the world that it was made with. */
  readonly people: readonly MadePerson[]
  /** Resolves when the instance cannot continue, with the reason. */
  readonly failed: Promise<Error>
  /** Goes on for the time of `stopDelay`, finishes running requests, for ten seconds at most, and closes everything. */
  stop(): Promise<void>
}

export interface StartOptions {
  readonly config: Config
  readonly log: FastifyBaseLogger
  /** The data may be lost at a power failure: no write is flushed to disk (`start --ephemeral`). */
  readonly ephemeral?: boolean
  /** What a new instance begins with, besides `root`. */
  readonly world?: ReadWorld | undefined
  /** File that the requests of an ephemeral server are added to. */
  readonly record?: string | undefined
}

/** How long a connection that a client keeps may wait for a last request once Ingot is stopping, in milliseconds. */
const LAST_REQUESTS = 2_000

/** How long running requests may take once Ingot is stopping, in milliseconds. */
const PATIENCE = 10_000

/**
 * Connections that the system keeps until they are accepted: of more that come in a moment, those beyond would try again after seconds, in place of being
 * refused. Linux takes no more than `net.core.somaxconn`, which is the same by default.
 */
const BACKLOG = 4096

/** Limit for closing each part, in milliseconds: longer than any successful close takes. */
const CLOSING = 45_000

/**
 * Closes a part within the time limit; after it the others are closed all the same. A part may wait for a database that is gone without a
 * timer of its own: without this timer the program would then end in the middle.
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

/** Starts Ingot; rejects if any part cannot start, with everything closed again. */
export async function start({ config, log, ephemeral = false, world, record }: StartOptions): Promise<Ingot> {
  await assertStartable(config)
  // Throws where the file of providers is wrong.
  providersOf(config)
  const instance = await openInstance({ config, log, ephemeral })
  // Closes in reverse order, and continues if a part cannot be closed.
  const opened = new AsyncDisposableStack()
  const { deps } = instance
  const stop = async () => {
    deps.http.isStopping = true
    // An ephemeral server has no balancer before it.
    if (!ephemeral) await delay(config.stopDelay * 1_000)
    await opened.disposeAsync()
  }
  opened.defer(closing('instance', log, instance.close))
  try {
    await checkObjectStore(deps)
    await ensureAssets()
    const root = await ensureRoot(deps)
    await ensureSigningKey(deps)
    // Before the worker: the background work of a world has the world's time.
    const people = world ? await makeWorld(deps, world) : []
    // Repairs what a crash has left before the first request; afterwards every minute.
    if (config.workers > 0) await reconcileAfterStart(deps)
    const background = backgroundOf(deps, world !== undefined)
    opened.defer(closing('worker', log, background.stop))
    await background.start()
    const bench = ephemeral ? new TestBench(deps, record) : undefined
    if (bench) opened.defer(async () => bench.close())
    const app = bench
      ? await buildApp(deps, [...testingEndpoints(bench), ...endpoints], built => bench.watch(built))
      : await buildApp(deps, endpoints, drainAtEnd)
    opened.defer(closing('app', log, () => closeApp(app)))
    const url = await listen(app, config)
    deps.http.port = (app.server.address() as AddressInfo).port
    if (config.sshPort !== undefined) {
      const hostKey = await loadSshHostKey(config)
      const ssh = await listenForSsh(deps, { hostKey, host: config.host, url, port: config.sshPort })
      opened.defer(closing('ssh', log, () => ssh.stop(PATIENCE)))
    }
    if (config.pagesUrl) {
      const served = await listenForSites(deps, config.pagesUrl)
      opened.defer(closing('sites', log, () => served.stop(PATIENCE)))
    }
    if (config.builtinRunner) {
      const token = async () => (await transact(deps.database.db, db => liveInstanceRunnersToken(systemContext(deps, db)))).reveal()
      const { inherited } = runnerEnvironment()
      const [builds, namespaces] = [places(config).runner, config.runnerNamespaces]
      const endRunner = await startBuiltinRunner({
        url,
        token,
        builds,
        namespaces,
        secretFiles: config.readFrom,
        inherited,
        ephemeral,
        log,
      })
      opened.defer(closing('runner', log, endRunner))
    }
    await bench?.keep(background)
    if (process.getuid?.() === 0)
      log.warn(
        'Ingot runs as root: a fault in it is a fault of the whole machine. Start it as an ordinary user where you can (SECURITY.md)',
      )
    return { app, deps, url, root, people, failed: instance.failed, stop }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** The background work of this process; none where no workers are wanted. Jobs of a world that run stay so, although no runner reports on them. */
function backgroundOf(deps: Deps, hasWorld: boolean): Background {
  const { workers: concurrency } = deps.config
  const scheduled = hasWorld ? schedule.filter(({ task }) => task !== 'fail_lost_jobs') : schedule
  let worker: Awaited<ReturnType<typeof startTaskWorker>> | undefined
  return {
    async start() {
      if (concurrency > 0) worker = await startTaskWorker(deps, { concurrency, schedule: scheduled })
    },
    async stop() {
      const running = worker
      worker = undefined
      await running?.stop()
    },
  }
}

/** Finds an unusable store now instead of at the first upload. */
async function checkObjectStore({ objects }: Deps): Promise<void> {
  try {
    await objects.check()
  } catch (error) {
    throw error instanceof ObjectStoreUnfit ? new ConfigError(`INGOT_OBJECT_STORE: ${error.message}`, { cause: error }) : error
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port, backlog: BACKLOG })
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

async function listenForSites(deps: Deps, sites: SitesAddress): Promise<SitesServer> {
  try {
    return await startSitesServer(deps, sites)
  } catch (error) {
    throw listenError(error, { host: deps.config.host, port: sitesPort(deps.config), setting: 'INGOT_PAGES_PORT' })
  }
}

/** The last requests of those who keep connections are answered. Nobody has another server to go to in place of an ephemeral one. */
function drainAtEnd(app: FastifyInstance): void {
  const drain = prepareDrain(app.server)
  app.addHook('preClose', () => drain({ quiet: LAST_REQUESTS, longest: PATIENCE }))
}

/** Accepts no more requests, waits for the running ones, and aborts those that take too long. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), PATIENCE)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}
