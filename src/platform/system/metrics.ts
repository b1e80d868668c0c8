/**
 * Metrics in Prometheus' form: this process, its requests, its database connections and the git processes it started.
 * They belong to the process, not to an application in it. Processes that serve one port answer with the sums of all.
 */
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { Database } from '../db/connection.ts'
import { gitProcesses } from '../git/index.ts'

const registry = new Registry()

/** The media type of `metricsText`. */
export const metricsType = registry.contentType

const requestDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to the end of its answer',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  registers: [registry],
})

const connections = new Gauge({
  name: 'database_pool_connections',
  help: 'Database connections of this process; "waiting" are requests that wait for one',
  labelNames: ['state'],
  registers: [registry],
})

new Counter({
  name: 'git_processes_started_total',
  help: 'Git processes started',
  registers: [registry],
  collect() {
    this.reset()
    this.inc(gitProcesses.started)
  },
})

/** Counts an answered request; `route` is the pattern it matched, undefined when there was none. */
export function observeRequest(method: string, route: string | undefined, status: number, seconds: number): void {
  requestDuration.observe({ method, route: route ?? 'none', status }, seconds)
}

let watchesProcess = false

/** Metrics of one process, as JSON. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[]

/** Asks all processes of the port, this one among them, for their metrics; undefined in a process that has the port for itself. */
let askAll: (() => Promise<readonly ProcessMetrics[]>) | undefined

/** From now on the metrics are the sums of what this answers with. */
export function sumMetricsOf(ask: () => Promise<readonly ProcessMetrics[]>): void {
  askAll = ask
}

/** The metrics of this process, as of now. */
export async function ownMetrics({ pool }: Pick<Database, 'pool'>): Promise<ProcessMetrics> {
  refresh(pool)
  return registry.getMetricsAsJSON()
}

/** All metrics, as of now. */
export async function metricsText({ pool }: Pick<Database, 'pool'>): Promise<string> {
  if (askAll) return AggregatorRegistry.aggregate([...(await askAll())]).metrics()
  refresh(pool)
  return registry.metrics()
}

/** Takes in what is only known when it is asked for. */
function refresh(pool: Database['pool']): void {
  // From the first question on: watching the garbage collector and the event loop costs something, and most never ask.
  if (!watchesProcess) collectDefaultMetrics({ register: registry })
  watchesProcess = true
  connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
  connections.set({ state: 'idle' }, pool.idleCount)
  connections.set({ state: 'waiting' }, pool.waitingCount)
}
