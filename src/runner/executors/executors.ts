/**
 * The executors of a runner that is root: one for jobs of protected references, one for all others, each a process of a user of its own.
 * Files that the one kind of jobs leaves on the disk, above all caches, are unreadable and unwritable for the other.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ServedContainers, toChild } from '../containers/by_parent.ts'
import type { Containers } from '../containers/engine.ts'
import type { Job } from '../payload.ts'
import type { JobUser } from './account.ts'
import type { Answer, ExecutorSettings, Order } from './executor.ts'

/** What lets Node load the program where it is installed as a package (`bin/installed.mjs`). */
const loaders = process.execArgv.filter(flag => flag.startsWith('--import='))

/** Milliseconds that the jobs of an executor have to end when the runner ends. */
const PATIENCE = 8_000

export interface ExecutorsOptions extends Omit<ExecutorSettings, 'user' | 'builds' | 'containers'> {
  /** What makes the containers of jobs, with rights that the executors do not have; or why nothing does. */
  readonly containers: Containers | { readonly whyNot: string } | undefined
  /** The user for jobs of unprotected references; the next id is for protected ones. */
  readonly user: JobUser
  /** The folder in which each executor has its own. */
  readonly folder: string
}

/** The user of the jobs of protected references. */
export const userOfProtected = ({ uid, gid }: JobUser): JobUser => ({ uid: uid + 1, gid: gid + 1 })

/** Executors that are ready. */
export interface Executors {
  /** Runs a job to its end. @throws Error the job ended unexpectedly */
  run(job: Job, slot: number): Promise<void>
  /** Why jobs run without the namespaces of the settings, in the words of bubblewrap; undefined if they run in them. */
  readonly whyNot: string | undefined
  /** Rejects when an executor has ended by itself: the runner cannot continue. */
  readonly failed: Promise<never>
  /** Ends the jobs, and the executors. */
  stop(): Promise<void>
}

/** Starts both executors. @throws Error one of them does not become ready */
export async function startExecutors({ user, folder, ...settings }: ExecutorsOptions): Promise<Executors> {
  const [others, ofProtected] = await Promise.all([
    startExecutor({ ...settings, user, builds: join(folder, 'jobs') }),
    startExecutor({ ...settings, user: userOfProtected(user), builds: join(folder, 'protected-jobs') }),
  ])
  return {
    run: (job, slot) => (job.job_info?.protected === true ? ofProtected : others).run(job, slot),
    whyNot: others.whyNot ?? ofProtected.whyNot,
    failed: Promise.race([others.failed, ofProtected.failed]),
    stop: async () => {
      await Promise.all([others.stop(), ofProtected.stop()])
    },
  }
}

async function startExecutor({
  containers,
  ...rest
}: Omit<ExecutorsOptions, 'folder'> & Pick<ExecutorSettings, 'builds'>): Promise<Executors> {
  const possible = containers && 'run' in containers ? containers : undefined
  const settings: ExecutorSettings = {
    ...rest,
    containers: possible ? { mayShareNetwork: possible.mayShareNetwork } : (containers as { readonly whyNot: string } | undefined),
  }
  const program = join(import.meta.dirname, 'executor.ts')
  // Jobs may send signals to their executor: none of them may open a debugger in it.
  const child = spawn(process.execPath, [...loaders, '--disable-warning=ExperimentalWarning', '--disable-sigusr1', program], {
    env: { ...settings.inherited },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Pieces of streams are sent as they are.
    serialization: 'advanced',
  })
  const served = possible && new ServedContainers(possible, toChild(child))
  const waiting = new Map<number, PromiseWithResolvers<void>>()
  const ready = Promise.withResolvers<string | undefined>()
  const failed = Promise.withResolvers<never>()
  // A rejection that is not awaited by one of its users reaches the other one.
  for (const promise of [ready.promise, failed.promise]) promise.catch(() => {})
  let ended: Error | undefined
  const end = (why: string) => {
    const error = new Error(`the executor of jobs ended: ${why}`)
    ended = error
    served?.stop()
    for (const each of [ready, failed, ...waiting.values()]) each.reject(error)
  }
  child.once('error', error => end(error.message))
  child.once('exit', (code, signal) => end(signal ?? `status ${code}`))
  child.on('message', (answer: Answer | null) => {
    // Only a compromised executor sends anything else.
    if (typeof answer !== 'object' || answer === null) return end('it sent what it must not')
    if ('ready' in answer) return ready.resolve(answer.whyNot)
    if ('engine' in answer) return served?.take(answer.engine)
    const job = waiting.get(answer.over)
    waiting.delete(answer.over)
    if (answer.failure === undefined) job?.resolve()
    else job?.reject(new Error(answer.failure))
  })
  order(child, { settings })
  const whyNot = await ready.promise
  return {
    whyNot,
    run: async (job, slot) => {
      if (ended) throw ended
      const over = Promise.withResolvers<void>()
      waiting.set(job.id, over)
      order(child, { job, slot })
      return over.promise
    },
    failed: failed.promise,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      if (child.connected) child.disconnect()
      const kill = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
      await ended
      clearTimeout(kill)
    },
  }
}

/** The exit event reports an executor that has ended. */
const order = (child: ChildProcess, message: Order): void => {
  if (child.connected) child.send(message, () => {})
}
