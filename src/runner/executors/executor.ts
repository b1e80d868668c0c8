/**
 * A program that runs jobs as an unprivileged user, on behalf of a runner that is root: it starts as root, loads all modules, and drops
 * root before its first job. Its parent talks to the server and never touches a file of a job.
 */
import { chown, mkdir } from 'node:fs/promises'
import { type Answered, type Asked, AskedContainers } from '../containers/by_parent.ts'
import { Coordinator } from '../coordinator.ts'
import { type JobOptions, runJob } from '../job.ts'
import type { Job } from '../payload.ts'
import { dropPrivileges, type JobUser } from './account.ts'
import type { Namespaces } from './namespaces.ts'
import { whyNamespacesFail } from './trial.ts'

/** The first message to an executor. */
export interface ExecutorSettings extends Pick<JobOptions, 'builds' | 'shell' | 'inherited' | 'releaseTool'> {
  readonly user: JobUser
  /** Address of the server. */
  readonly url: string
  /** The namespaces that its jobs run in if they can be made. */
  readonly namespaces: Namespaces | undefined
  /** The containers that its parent makes for it; or why it makes none. */
  readonly containers: { readonly mayShareNetwork: boolean } | { readonly whyNot: string } | undefined
}

/** The messages to an executor: its settings, then jobs, and answers to what it asks of a container engine. */
export type Order = { readonly settings: ExecutorSettings } | { readonly job: Job; readonly slot: number } | { readonly engine: Answered }

/**
 * Its answers: it is ready, without namespaces for a reason; or a job is over, with `failure` as the reason of an unexpected end; or it asks something
 * of a container engine.
 */
export type Answer =
  | { readonly ready: true; readonly whyNot?: string }
  | { readonly over: number; readonly failure?: string }
  | { readonly engine: Asked }

/** Serves the parent until it disconnects, and then ends the jobs. */
function main(): void {
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  let options: Omit<JobOptions, 'slot'> | undefined
  let asked: AskedContainers | undefined
  const answer = (message: Answer) => process.connected && process.send?.(message)

  async function begin({ user, url, builds, namespaces, containers, ...settings }: ExecutorSettings): Promise<void> {
    await mkdir(builds, { recursive: true, mode: 0o700 })
    await chown(builds, user.uid, user.gid)
    process.chdir(builds)
    dropPrivileges(user)
    const whyNot = namespaces && (await whyNamespacesFail(namespaces, builds))
    const possible = whyNot === undefined ? namespaces : undefined
    if (containers && 'mayShareNetwork' in containers) asked = new AskedContainers(containers.mayShareNetwork, engine => answer({ engine }))
    const own = asked ?? (containers && 'whyNot' in containers ? containers : undefined)
    options = { ...settings, builds, namespaces: possible, containers: own, coordinator: new Coordinator(url), signal: stop.signal }
    answer({ ready: true, ...(whyNot !== undefined && { whyNot }) })
  }

  async function run(job: Job, slot: number): Promise<void> {
    if (!options) throw new Error('a job came before the settings')
    const failure = await runJob(job, { ...options, slot }).then(
      () => undefined,
      error => (error as Error).message,
    )
    answer({ over: job.id, ...(failure !== undefined && { failure }) })
  }

  process.on('message', (order: Order) => {
    if ('settings' in order) {
      // Without settings it cannot work, and must not continue as root.
      begin(order.settings).catch(error => {
        process.stderr.write(`${(error as Error).message}\n`)
        process.exit(1)
      })
      return
    }
    if ('engine' in order) return asked?.take(order.engine)
    const job = run(order.job, order.slot).finally(() => running.delete(job))
    running.add(job)
  })
  process.once('disconnect', async () => {
    stop.abort()
    await Promise.allSettled(running)
    process.exit()
  })
  // The parent ends it by disconnecting.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
}

main()
