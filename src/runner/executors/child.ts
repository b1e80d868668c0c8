/** The built-in runner as a child process of the server: it gets its token by a pipe, and ends with the server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { FastifyBaseLogger } from 'fastify'
import { jobUser, openRunnerFolder, removeRunnerFolder } from './account.ts'

export interface BuiltinRunnerOptions {
  /** The address of the server. */
  readonly url: string
  /** Returns the current registration token of the instance: it may change between restarts of the runner. */
  readonly token: () => Promise<string>
  /** The folder of its jobs and of its own token, within that of the server's data. */
  readonly builds: string
  /** Whether jobs run in namespaces: where they can be made, always, or never. */
  readonly namespaces: 'auto' | 'require' | 'off'
  /** Whether jobs that name an image run in containers: where that works, always, or never. */
  readonly containers: 'auto' | 'require' | 'off'
  /** Files with secrets of the server, besides those in its folder: jobs in namespaces cannot read them. */
  readonly secretFiles: readonly string[]
  /** The environment of the runner and its jobs: none of the server's secrets. */
  readonly inherited: Readonly<Record<string, string>>
  /** What a container engine needs of it, too. */
  readonly engine: Readonly<Record<string, string>>
  /** Nothing in it is needed after its end. */
  readonly ephemeral: boolean
  readonly log: FastifyBaseLogger
}

const program = join(import.meta.dirname, '../../../bin/ingot')

/** Milliseconds until an ended runner is restarted, and until a runner that must end is killed. */
const AGAIN = 5000
const PATIENCE = 10_000

/**
 * Starts the runner, and restarts it when it ends by itself. If this process is root, the runner works as a user of its own.
 * @returns a function that ends it, with its jobs
 */
export async function startBuiltinRunner(options: BuiltinRunnerOptions): Promise<() => Promise<void>> {
  const { url, inherited, engine, log } = options
  const user = jobUser()
  const builds = user ? await openRunnerFolder(options.builds, user) : options.builds
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  let child = begin()

  function begin() {
    const args = ['runner', '--attached', '--url', url, '--builds-dir', builds]
    args.push(
      '--namespaces',
      options.namespaces,
      '--containers',
      options.containers,
      '--hide',
      dirname(options.builds),
      ...options.secretFiles,
    )
    if (user) args.push('--run-as', `${user.uid}:${user.gid}`)
    const started = spawn(program, args, { env: { ...engine, ...inherited }, stdio: ['pipe', 'pipe', 'pipe'] })
    // It may end before it has read this.
    started.stdin.on('error', () => {})
    options.token().then(
      token => started.stdin.write(`${token}\n`),
      error => {
        log.error({ err: error }, 'the built-in runner got no registration token')
        started.kill()
      },
    )
    createInterface({ input: started.stdout }).on('line', line => log.info({ runner: line }, 'built-in runner'))
    createInterface({ input: started.stderr }).on('line', line => log.error({ runner: line }, 'built-in runner'))
    started.once('error', error => log.error({ err: error }, 'the built-in runner cannot be started'))
    started.once('exit', code => {
      if (isOver) return
      log.error({ code }, 'the built-in runner ended')
      timer = setTimeout(() => {
        child = begin()
      }, AGAIN)
    })
    return started
  }

  return async () => {
    isOver = true
    clearTimeout(timer)
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const ended = once(child, 'exit')
      child.stdin.end()
      const kill = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
      await ended
      clearTimeout(kill)
    }
    if (options.ephemeral) await removeRunnerFolder(options.builds)
  }
}
