/** A process that serves requests beside others, started by the first one (first.ts), with which it ends. */
import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { type Config, ConfigError } from '../../platform/config.ts'
import { ensureAssets } from '../../platform/pages/assets/ensure.ts'
import { ownMetrics, sumMetricsOf } from '../../platform/system/metrics.ts'
import { buildApp } from '../app.ts'
import { endpoints } from '../endpoints.ts'
import { openInstance } from '../setup/instance.ts'
import { Calls } from './calls.ts'
import type { Serving, Unable } from './first.ts'
import { closeApp, drainAtEnd, listen } from './serving.ts'
import { limitsThere } from './shared_limits.ts'

/** The share of one process: connections are given to all in turn. */
const sharedOut = (config: Config): Config => {
  const share = (most: number) => Math.ceil(most / config.httpProcesses)
  return Object.freeze({ ...config, connections: share(config.connections), connectionsPerAddress: share(config.connectionsPerAddress) })
}

/** Serves requests until the first process says that it is over. */
export async function serveBesideOthers(config: Config, log: FastifyBaseLogger): Promise<void> {
  // The terminal sends these to all processes; the first one says when it is over.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  // It was killed: the port and the database have gone with it.
  process.once('disconnect', () => process.exit(1))
  const stopped = Promise.withResolvers<void>()
  const opened = new AsyncDisposableStack()
  const facts = { isStopping: false, sshPort: undefined as number | undefined }
  let apply = () => {}
  let metrics: () => ReturnType<typeof ownMetrics> | [] = () => []
  const calls = new Calls(message => process.send?.(message), {
    beginStop() {
      facts.isStopping = true
      apply()
    },
    sshListens(port: number) {
      facts.sshPort = port
      apply()
    },
    stop: () => stopped.resolve(),
    ownMetrics: () => metrics(),
  })
  process.on('message', message => calls.heard(message))
  try {
    const instance = await openInstance({
      config: sharedOut(config),
      log,
      shared: true,
      existing: true,
      asItIs: true,
      limiterParts: limitsThere(calls),
    })
    opened.defer(instance.close)
    const { deps } = instance
    apply = () => {
      deps.http.isStopping = facts.isStopping
      deps.ssh.port = facts.sshPort
    }
    apply()
    metrics = () => ownMetrics(deps.database)
    sumMetricsOf(() => calls.call('allMetrics'))
    await ensureAssets()
    const app = await buildApp(deps, endpoints, drainAtEnd)
    opened.defer(() => closeApp(app))
    const url = await listen(app, config)
    deps.http.port = (app.server.address() as AddressInfo).port
    await calls.call('serves', { url, port: deps.http.port } satisfies Serving)
    await stopped.promise
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    await calls.call('cannotServe', { message, isMisconfigured: error instanceof ConfigError } satisfies Unable)
    throw error
  } finally {
    await opened.disposeAsync()
    process.removeAllListeners('disconnect')
    process.disconnect()
  }
}
