/**
 * A program that runs the jobs which a runner of root's hands it, as an unprivileged user: it begins as root, loads all that it needs, and gives
 * root up before its first job. Its parent speaks with the server and never touches a file of a job.
 */
import { chown, mkdir } from 'node:fs/promises'
import { dropPrivileges, type JobUser } from './account.ts'
import { Coordinator } from './coordinator.ts'
import { type JobOptions, runJob } from './job.ts'
import type { Job } from './payload.ts'

/** What an executor is told first. */
export interface ExecutorSettings extends Pick<JobOptions, 'builds' | 'shell' | 'inherited' | 'releaseTool'> {
  readonly user: JobUser
  /** Address of the server. */
  readonly url: string
}

/** What an executor is told: its settings, then jobs. */
export type Order = { readonly settings: ExecutorSettings } | { readonly job: Job; readonly slot: number }

/** What it answers: it is ready, or a job is over, `failure` saying why it ended unforeseen. */
export type Answer = { readonly ready: true } | { readonly over: number; readonly failure?: string }

/** Serves the parent until it goes away, and ends the jobs with it. */
function main(): void {
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  let options: Omit<JobOptions, 'slot'> | undefined
  const answer = (told: Answer) => process.connected && process.send?.(told)

  async function begin({ user, url, builds, ...settings }: ExecutorSettings): Promise<void> {
    await mkdir(builds, { recursive: true, mode: 0o700 })
    await chown(builds, user.uid, user.gid)
    process.chdir(builds)
    dropPrivileges(user)
    options = { ...settings, builds, coordinator: new Coordinator(url), signal: stop.signal }
    answer({ ready: true })
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
      // Without them it is of no use, and must not go on as root.
      begin(order.settings).catch(error => {
        process.stderr.write(`${(error as Error).message}\n`)
        process.exit(1)
      })
      return
    }
    const job = run(order.job, order.slot).finally(() => running.delete(job))
    running.add(job)
  })
  process.once('disconnect', async () => {
    stop.abort()
    await Promise.allSettled(running)
    process.exit()
  })
  // The parent says when it is time, by going away.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
}

main()
