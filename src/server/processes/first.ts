/**
 * Several processes that serve requests on one port (`INGOT_HTTP_PROCESSES`). The first process has the database, the background work, SSH and the limits;
 * it accepts connections and gives them to the others in turn. One that dies is replaced.
 */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { ConfigError } from '../../platform/config.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { ownMetrics, type ProcessMetrics } from '../../platform/system/metrics.ts'
import { Calls } from './calls.ts'
import type { SharedLimits } from './shared_limits.ts'

/** How a process says that it serves. */
export interface Serving {
  /** `http://127.0.0.1:8080`. */
  readonly url: string
  readonly port: number
}

/** How a process says that it cannot. */
export interface Unable {
  readonly message: string
  /** The settings are why. */
  readonly isMisconfigured: boolean
}

/** Processes that die in a minute before it is given up to start others. */
const MOST_DEATHS = 5
const DEATHS_WITHIN = 60_000

/** Milliseconds until a process that died is replaced. */
const PAUSE = 100

/** One that ends meanwhile needs no telling. */
const say = (calls: Calls, name: string, ...given: readonly unknown[]): void => void calls.call(name, ...given).catch(() => {})

interface Member {
  readonly worker: Worker
  readonly calls: Calls
  readonly ended: Promise<void>
}

export class HttpProcesses {
  readonly #deps: Deps
  readonly #limits: SharedLimits
  readonly #members = new Set<Member>()
  readonly #deaths: number[] = []
  readonly #failed = Promise.withResolvers<Error>()
  #isStopping = false

  private constructor(deps: Deps, limits: SharedLimits) {
    this.#deps = deps
    this.#limits = limits
  }

  /**
   * Starts so many processes, which run the command line of this one.
   * @throws ConfigError, or Error with the reason, where one of them cannot serve
   */
  static async start(count: number, deps: Deps, limits: SharedLimits): Promise<HttpProcesses & { readonly serving: Serving }> {
    cluster.setupPrimary({ args: process.argv.slice(2) })
    const processes = new HttpProcesses(deps, limits)
    try {
      // One after the other where the port is any free one: the first finds it.
      const serving = await processes.#startOne()
      await Promise.all(Array.from({ length: count - 1 }, () => processes.#startOne()))
      return Object.assign(processes, { serving })
    } catch (error) {
      await processes.stop()
      throw error
    }
  }

  /** Resolves when they keep dying, with the reason. */
  get failed(): Promise<Error> {
    return this.#failed.promise
  }

  /** `/-/readiness` says no from now on; everything else goes on. */
  beginStop(): void {
    this.#tell('beginStop')
  }

  /** The port on which SSH is served. */
  sshListens(port: number): void {
    this.#tell('sshListens', port)
  }

  /** Ends them: each finishes its requests first. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#tell('stop')
    await Promise.all([...this.#members].map(({ ended }) => ended))
  }

  /** Ends them without waiting for requests. */
  kill(): void {
    for (const { worker } of this.#members) worker.process.kill('SIGKILL')
  }

  #tell(name: string, ...given: readonly unknown[]): void {
    for (const { calls } of this.#members) say(calls, name, ...given)
  }

  /** What a process has to know that serves from now on: it has not heard what was said before. */
  #brief(calls: Calls): void {
    const { ssh, http } = this.#deps
    if (ssh.port !== undefined) say(calls, 'sshListens', ssh.port)
    if (http.isStopping) say(calls, 'beginStop')
    if (this.#isStopping) say(calls, 'stop')
  }

  /** Starts one. Resolves when it serves. */
  async #startOne(): Promise<Serving> {
    const serving = Promise.withResolvers<Serving>()
    const ended = Promise.withResolvers<void>()
    const worker = cluster.fork()
    const held = this.#limits.forProcess()
    const calls = new Calls(message => worker.isConnected() && worker.send(message), {
      ...held.callable,
      serves: (served: Serving) => {
        this.#brief(calls)
        serving.resolve(served)
      },
      cannotServe: ({ message, isMisconfigured }: Unable) =>
        serving.reject(isMisconfigured ? new ConfigError(message) : new Error(message)),
      allMetrics: () => this.#allMetrics(),
    })
    const member: Member = { worker, calls, ended: ended.promise }
    this.#members.add(member)
    worker.on('message', message => calls.heard(message))
    worker.once('exit', (code, signal) => {
      this.#members.delete(member)
      calls.end()
      held.end()
      ended.resolve()
      const how = signal ?? `code ${code}`
      serving.reject(new Error(`a process that was to serve requests ended (${how})`))
      this.#noteEnd(worker, how)
    })
    return serving.promise
  }

  #noteEnd(worker: Worker, how: string): void {
    if (this.#isStopping) return
    const now = performance.now()
    while (this.#deaths[0] !== undefined && this.#deaths[0] < now - DEATHS_WITHIN) this.#deaths.shift()
    this.#deaths.push(now)
    this.#deps.log.error({ pid: worker.process.pid, how }, 'a process that serves requests ended')
    if (this.#deaths.length > MOST_DEATHS) this.#failed.resolve(new Error(`The processes that serve requests keep ending (${how})`))
    else void delay(PAUSE).then(() => this.#replace())
  }

  async #replace(): Promise<void> {
    if (this.#isStopping) return
    // Its end is noted, which says why, and starts another.
    await this.#startOne().catch(() => {})
  }

  async #allMetrics(): Promise<readonly ProcessMetrics[]> {
    const others = [...this.#members].map(({ calls }) => calls.call<ProcessMetrics>('ownMetrics').catch(() => []))
    return Promise.all([ownMetrics(this.#deps.database), ...others])
  }
}
