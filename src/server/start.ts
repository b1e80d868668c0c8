/**
 * Starts Ingot: opens the instance, creates the first administrator, runs the worker, and listens. `stop` closes everything in reverse
 * order.
 */
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { reconcileAfterStart } from '../code/ref_updates/reconcile.ts'
import { type SshOptions, type SshServer, startSshServer } from '../code/ssh/server.ts'
import { type SitesServer, startSitesServer } from '../delivery/sites/serving/server.ts'
import { providersOf } from '../identity/providers/file.ts'
import { ensureSigningKey } from '../identity/signing_keys/commands.ts'
import { type Config, ConfigError, places, type SitesAddress } from '../platform/config.ts'
import { transact } from '../platform/db/transact.ts'
import { leastWorkers } from '../platform/events/runs/waits.ts'
import { schedule } from '../platform/events/worker.ts'
import { sitesPort } from '../platform/kernel/addresses/site_address.ts'
import { type Deps, systemContext } from '../platform/kernel/context.ts'
import { ObjectStoreUnfit } from '../platform/object_store/store.ts'
import { ensureAssets } from '../platform/pages/assets/ensure.ts'
import { runnerEnvironment } from '../platform/runner_environment.ts'
import { startBuiltinRunner } from '../runner/index.ts'
import { liveInstanceRunnersToken } from '../spaces/runners_tokens/commands.ts'
import { buildApp } from './app.ts'
import { endpoints } from './endpoints.ts'
import { HttpProcesses } from './processes/first.ts'
import { closeApp, closeAtEnd, drainAtEnd, listen, PATIENCE } from './processes/serving.ts'
import { type SharedLimits, sharedLimits } from './processes/shared_limits.ts'
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
  /** Processes that serve requests; of 1, the default, it is this one. */
  readonly httpProcesses?: number
}

/** What serves requests, once it does. */
interface Http {
  readonly url: string
  /** Resolves when it cannot go on, with the reason. */
  readonly failed?: Promise<Error>
  beginStop?(): void
  sshListens?(port: number): void
}

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
export async function start({ config, log, ephemeral = false, world, record, httpProcesses = 1 }: StartOptions): Promise<Ingot> {
  await assertStartable(config)
  for (const line of config.mistyped) log.warn(line)
  // Throws where the file of providers is wrong.
  providersOf(config)
  const limits = httpProcesses > 1 ? sharedLimits() : undefined
  const instance = await openInstance({ config, log, ephemeral, ...(limits && { limiterParts: limits.parts }) })
  // Closes in reverse order, and continues if a part cannot be closed.
  const opened = new AsyncDisposableStack()
  const { deps } = instance
  let http: Http | undefined
  const stop = async () => {
    deps.http.isStopping = true
    http?.beginStop?.()
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
    http = limits ? await serveElsewhere(deps, limits, httpProcesses, opened) : await serveHere(deps, bench, opened)
    const { url } = http
    if (config.sshPort !== undefined) {
      const hostKey = await loadSshHostKey(config)
      const ssh = await listenForSsh(deps, { hostKey, host: config.host, url, port: config.sshPort })
      opened.defer(closing('ssh', log, () => ssh.stop(PATIENCE)))
      if (deps.ssh.port !== undefined) http.sshListens?.(deps.ssh.port)
    }
    if (config.pagesUrl) {
      const served = await listenForSites(deps, config.pagesUrl)
      opened.defer(closing('sites', log, () => served.stop(PATIENCE)))
    }
    if (config.builtinRunner) {
      const token = async () => (await transact(deps.database.db, db => liveInstanceRunnersToken(systemContext(deps, db)))).reveal()
      const { inherited, engine } = runnerEnvironment()
      const { runnerNamespaces: namespaces, runnerContainers: containers } = config
      const endRunner = await startBuiltinRunner({
        url,
        token,
        builds: places(config).runner,
        namespaces,
        containers,
        secretFiles: config.readFrom,
        inherited,
        engine,
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
    const failed = Promise.race([instance.failed, ...(http.failed ? [http.failed] : [])])
    return { deps, url, root, people, failed, stop }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** Serves requests in this process. */
async function serveHere(deps: Deps, bench: TestBench | undefined, opened: AsyncDisposableStack): Promise<Http> {
  const app = bench
    ? await buildApp(deps, [...testingEndpoints(bench), ...endpoints], built => {
        bench.watch(built)
        closeAtEnd(built)
      })
    : await buildApp(deps, endpoints, drainAtEnd)
  opened.defer(closing('app', deps.log, () => closeApp(app)))
  const url = await listen(app, deps.config)
  deps.http.port = (app.server.address() as AddressInfo).port
  return { url }
}

/** Has requests served by other processes. */
async function serveElsewhere(deps: Deps, limits: SharedLimits, count: number, opened: AsyncDisposableStack): Promise<Http> {
  const processes = await HttpProcesses.start(count, deps, limits)
  opened.defer(async () => processes.kill())
  opened.defer(closing('processes', deps.log, () => processes.stop()))
  const { url, port } = processes.serving
  deps.http.port = port
  return {
    url,
    failed: processes.failed,
    beginStop: () => processes.beginStop(),
    sshListens: (port: number) => processes.sshListens(port),
  }
}

/** The background work of this process; none where no workers are wanted. Jobs of a world that run stay so, although no runner reports on them. */
function backgroundOf(deps: Deps, hasWorld: boolean): Background {
  const { workers } = deps.config
  const scheduled = hasWorld ? schedule.filter(({ task }) => task !== 'fail_lost_jobs') : schedule
  let worker: Awaited<ReturnType<typeof startTaskWorker>> | undefined
  return {
    async start() {
      if (workers > 0) worker = await startTaskWorker(deps, { concurrency: leastWorkers(workers), schedule: scheduled })
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
