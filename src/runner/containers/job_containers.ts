/**
 * The containers of one job: that of its scripts, made of `image:`, and one for each of its `services:`. The folder of the job is copied into the first,
 * and the working copy back when its files are wanted: nothing of the machine is mounted, so that no file of a container has an owner or rights here.
 */
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Outcome } from '../executors/shell.ts'
import type { Container, Job } from '../payload.ts'
import { packed, Unpacking } from './archive.ts'
import type { Containers, Streams } from './engine.ts'
import { hostNamesOf, isLocalImage, isLoopbackUrl, wholeImageName } from './image_names.ts'
import type { NetworkOf, Order, Part } from './orders.ts'

/** Seconds for which a service may not listen yet, unless `WAIT_FOR_SERVICE_SECONDS` of the job says otherwise, and for containers to be removed. */
const WAIT = 30
const REMOVAL = 60

/** Bash where the image has it. The script is its own name, so that the shell says which file it is where something is wrong. */
const SHELL = 'if command -v bash >/dev/null 2>&1; then exec bash "$0"; fi; exec sh "$0"'

/** Waits until it is stopped. */
const IDLE = 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done'

/** What cannot be done with containers: no fault of the scripts. */
export class ContainerFailure extends Error {}

export interface JobContainersOptions {
  readonly containers: Containers
  readonly job: Job
  /** The folder of the job. */
  readonly directory: string
  readonly expanded: (text: string) => string
  readonly say: (line: string) => void
  readonly onOutput: (bytes: Buffer) => void
  readonly signal: AbortSignal
}

interface Service {
  readonly part: Part
  readonly image: string
  readonly asked: Container
}

export class JobContainers {
  readonly #options: JobContainersOptions
  readonly #image: string
  readonly #services: readonly Service[]

  /** @throws ContainerFailure `image:` or a service names no image */
  constructor(image: Container, options: JobContainersOptions) {
    this.#options = options
    const imageOf = ({ name }: Container) => {
      const text = options.expanded(name)
      const whole = wholeImageName(text)
      if (whole === undefined) throw new ContainerFailure(`${JSON.stringify(text)} is no name of an image`)
      return whole
    }
    this.#image = imageOf(image)
    this.#services = (options.job.services ?? []).map((asked, index) => ({ part: `service-${index}`, image: imageOf(asked), asked }))
  }

  /** Fetches the images. @throws ContainerFailure */
  async fetch(): Promise<void> {
    const { say } = this.#options
    for (const image of new Set([this.#image, ...this.#services.map(({ image }) => image)])) {
      if (isLocalImage(image)) {
        say(`Using the image ${image} of this machine`)
        continue
      }
      say(`Fetching the image ${image} ...`)
      await this.#do({ do: 'pull', image, logins: loginsOf(this.#options) }, `the image ${image} could not be fetched`)
    }
  }

  /**
   * Starts the services, waits until they listen, and makes the container of the scripts.
   * @param environment variables of one line: what has more is set by the scripts
   * @param step the script that the container runs whenever it is started
   * @param directory where it runs
   * @throws ContainerFailure
   */
  async begin(image: Container, environment: Readonly<Record<string, string>>, step: string, directory: string): Promise<void> {
    const { say, containers, expanded } = this.#options
    const url = expanded('$CI_SERVER_URL')
    const isOwn = this.#services.length > 0 || !isLoopbackUrl(url) || !containers.mayShareNetwork
    if (isOwn && isLoopbackUrl(url))
      say(`WARNING: the job has a network of its own, and ${new URL(url).host} leads to itself there: its scripts cannot call the server`)
    const create = (part: Part, network: NetworkOf, order: Partial<Extract<Order, { do: 'create' }>> & { readonly image: string }) =>
      this.#do(
        { do: 'create', part, network, entrypoint: undefined, command: [], environment, hosts: [], directory: undefined, ...order },
        `the container of ${order.image} could not be made`,
      )
    if (this.#services.length > 0) {
      const hosts = this.#services.flatMap(({ asked }) => hostNamesOf(expanded(asked.name), asked.alias))
      await create('network', 'own', { image: this.#image, entrypoint: ['sh'], command: ['-c', IDLE], hosts, environment: {} })
      await this.#do({ do: 'start', part: 'network' }, 'the network of the services could not be made')
      for (const { part, image, asked } of this.#services) {
        say(`Starting the service ${image} ...`)
        await create(part, 'services', { image, entrypoint: entrypointOf(asked), command: asked.command ?? [] })
        await this.#do({ do: 'start', part }, `the service ${image} could not be started`)
      }
      for (const service of this.#services) await this.#awaitService(service, Number(environment.WAIT_FOR_SERVICE_SECONDS) || WAIT)
    }
    const network = this.#services.length > 0 ? 'services' : isOwn ? 'own' : 'machine'
    await create('job', network, {
      ...{ image: this.#image, entrypoint: entrypointOf(image), command: ['sh', '-c', SHELL, step], directory },
    })
    await this.put([join(this.#options.directory, 'builds'), dirname(step)], this.#options.signal)
  }

  /** Copies files and folders of the job into the container, under their own paths. @throws ContainerFailure */
  async put(paths: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#do({ do: 'put', part: 'job' }, 'the files of the job could not be copied into its container', {
      input: packed(paths),
      signal,
    })
  }

  /** Runs the script of the step. What the signal ends has ended when this resolves. */
  async step(signal: AbortSignal): Promise<Outcome> {
    const { containers, job, onOutput } = this.#options
    const write = (bytes: Uint8Array) => onOutput(Buffer.from(bytes))
    const outcome = await containers.run(job.id, { do: 'run', part: 'job' }, { onOutput: write, onError: write, signal })
    if (outcome.kind === 'stopped')
      await containers.run(job.id, { do: 'end', part: 'job' }, { signal: AbortSignal.timeout(REMOVAL * 1000) })
    return outcome
  }

  /** Replaces the working copy of the job by that in the container. @throws ContainerFailure */
  async bringBack(project: string): Promise<void> {
    const folder = join(this.#options.directory, 'back')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
    const unpacking = new Unpacking(folder)
    const failure = 'the files of the job could not be copied out of its container'
    try {
      await this.#do({ do: 'get', part: 'job', from: project }, failure, { onOutput: bytes => unpacking.write(bytes) })
    } catch (error) {
      // Its own complaint would be about what has not come.
      await unpacking.end().catch(() => {})
      throw error
    }
    await unpacking.end().catch(error => {
      throw new ContainerFailure(`${failure}: ${(error as Error).message}`)
    })
    await rm(project, { recursive: true, force: true })
    await rename(join(folder, basename(project)), project)
  }

  /** Ends and removes what was made. */
  async remove(): Promise<void> {
    const { containers, job, say } = this.#options
    const users: Part[] = ['job', ...this.#services.map(({ part }) => part)]
    // The one that keeps a network goes after those in it.
    for (const parts of [users, ...(this.#services.length > 0 ? [['network'] as const] : [])]) {
      const said: Uint8Array[] = []
      const streams = { onError: (bytes: Uint8Array) => void said.push(bytes), signal: AbortSignal.timeout(REMOVAL * 1000) }
      const outcome = await containers.run(job.id, { do: 'remove', parts }, streams)
      if (outcome.kind !== 'exited' || outcome.code !== 0)
        say(`WARNING: containers of the job could not be removed: ${Buffer.concat(said).toString().trim().split('\n').at(-1)}`)
    }
  }

  /** Waits until something listens on the lowest port that the image names. A service that does not is said, with its own last words. */
  async #awaitService({ part, image }: Service, seconds: number): Promise<void> {
    const { say, signal, onOutput } = this.#options
    const text = await this.#do({ do: 'ports', image }, `the ports of ${image} are not known`)
    const ports = Object.keys((JSON.parse(text || 'null') as Record<string, unknown> | null) ?? {})
    const [lowest] = ports
      .filter(port => port.endsWith('/tcp'))
      .map(port => Number.parseInt(port, 10))
      .sort((a, b) => a - b)
    if (lowest === undefined) return
    const end = performance.now() + seconds * 1000
    while (!signal.aborted && performance.now() < end) {
      if (listenedOn(await this.#do({ do: 'listening' }, `the service ${image} cannot be watched`)).has(lowest)) return
      await delay(300, undefined, { signal }).catch(() => {})
    }
    if (signal.aborted) return
    say(`WARNING: nothing listens on port ${lowest} of the service ${image} after ${seconds} seconds. What it has said:`)
    const log = await this.#do({ do: 'log', part }, `the log of ${image} cannot be read`)
    onOutput(Buffer.from(log))
  }

  /** Carries out an order. @returns its output, unless something else takes it @throws ContainerFailure */
  async #do(order: Order, failure: string, streams: Partial<Streams> = {}): Promise<string> {
    const { containers, job, signal } = this.#options
    const output: Uint8Array[] = []
    const said: Uint8Array[] = []
    const keep = (bytes: Uint8Array) => void output.push(bytes)
    const outcome = await containers.run(job.id, order, { onOutput: keep, onError: bytes => said.push(bytes), signal, ...streams })
    if (outcome.kind === 'exited' && outcome.code === 0) return Buffer.concat(order.do === 'log' ? [...output, ...said] : output).toString()
    if (outcome.kind === 'stopped') throw outcome.reason
    const why = outcome.kind === 'unstartable' ? outcome.error.message : Buffer.concat(said).toString().trim().split('\n').at(-1)
    throw new ContainerFailure(`${failure}: ${why || 'the engine does not say why'}`)
  }
}

/** What a container starts in place of what its image says; undefined for that. */
const entrypointOf = ({ entrypoint }: Container): readonly string[] | undefined => entrypoint ?? undefined

/** The ports that `/proc/net/tcp` and `tcp6` say are listened on. */
export function listenedOn(text: string): Set<number> {
  // Columns: a number, the own address, that of the other end, the state (0A: listening).
  const rows = text.split('\n').map(line => line.trim().split(/\s+/))
  return new Set(rows.filter(row => row[3] === '0A').map(row => Number.parseInt(row[1]?.split(':').at(-1) ?? '', 16)))
}

/** The users and passwords of registries: those of the server, and those of `DOCKER_AUTH_CONFIG`, which win. */
function loginsOf({ job, expanded }: JobContainersOptions): Record<string, string> {
  const ofServer = (job.credentials ?? [])
    .filter(({ type }) => type === 'registry')
    .map(({ url, username, password }) => [url, Buffer.from(`${username}:${password}`).toString('base64')] as const)
  const text = expanded('$DOCKER_AUTH_CONFIG')
  let own: unknown
  try {
    own = text === '' ? {} : JSON.parse(text)
  } catch {
    throw new ContainerFailure('DOCKER_AUTH_CONFIG is no JSON')
  }
  const auths = (own as { readonly auths?: Readonly<Record<string, { readonly auth?: unknown }>> } | null)?.auths ?? {}
  const given = Object.entries(auths).flatMap(([domain, login]) => (typeof login?.auth === 'string' ? [[domain, login.auth] as const] : []))
  return Object.fromEntries([...ofServer, ...given])
}
