/** The program as tests run it: real processes, each with a working directory and an environment of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const program = join(import.meta.dirname, '../../../bin/ingot')

/** A folder to run in, open like /tmp: under root, the database runs as another user. */
export async function newDirectory(parent = tmpdir()): Promise<string> {
  const directory = await mkdtemp(join(parent, 'ingot-cli-'))
  await chmod(directory, 0o1777)
  return directory
}

export interface RunOptions {
  /** Working directory, and home of temporary files. */
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

const begin = (args: readonly string[], { cwd, env = {} }: RunOptions): ChildProcess =>
  spawn(program, args, {
    cwd,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: cwd, TMPDIR: cwd, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })

/** How a command ended. */
export interface Ended {
  /** Null for one that was killed. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command to its end. */
export const runIngot = (args: readonly string[], options: RunOptions): Promise<Ended> => beginIngot(args, options).ended

/** Begins a command, which can be killed. */
export function beginIngot(args: readonly string[], options: RunOptions): { readonly ended: Promise<Ended>; kill(): void } {
  const child = begin(args, options)
  child.stdin?.end(options.input ?? '')
  const ended = Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')])
  return {
    ended: ended.then(([stdout, stderr]) => ({ code: child.exitCode, stdout, stderr })),
    kill: () => void child.kill('SIGKILL'),
  }
}

/** What `start --json` prints. */
export interface Greeting {
  readonly url: string
  readonly ssh_port: number | null
  readonly username: string
  readonly password: string | null
  readonly token: string | null
  readonly credentials_file: string | null
  readonly pid: number
}

export interface RunningIngot extends Greeting {
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ code: number | NodeJS.Signals | null; stderr: string }>
  /** Sends a signal; resolves with the exit code, or the signal's name, when the process has ended. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | NodeJS.Signals | null>
}

/** Starts a server and waits until it says where it listens. Rejects with what it printed when it ends instead. */
export async function startIngot(args: readonly string[], options: RunOptions): Promise<RunningIngot> {
  const child = begin(['start', '--json', '--port', '0', ...args], options)
  const errors = text(child.stderr!)
  const ended = once(child, 'close').then(async () => ({ code: child.exitCode ?? child.signalCode, stderr: await errors }))
  const greeted = once(createInterface(child.stdout!), 'line')
  const first = await Promise.race([greeted, ended.then(({ stderr }) => Promise.reject(new Error(`ingot ended: ${stderr}`)))])
  return {
    ...(JSON.parse(first[0] as string) as Greeting),
    ended,
    async end(signal) {
      child.kill(signal)
      return (await ended).code
    },
  }
}
