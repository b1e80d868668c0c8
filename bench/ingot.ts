/** The server that is measured: the program itself, as anyone starts it, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { environment } from './environment.ts'

/** A server that runs. */
export interface RunningIngot {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** A token of `root`. */
  readonly token: string
  readonly pid: number
  /** Milliseconds from the start of the process until it said that it listens. */
  readonly startedIn: number
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../bin/ingot', import.meta.url))

/** No limits by address: all load comes from the loopback. */
const UNLIMITED = ['--rate-limit', 'off', '--connections-per-address', '0', '--connections', '0']

/**
 * Starts Ingot on a data directory: durable (fsync on), without limits by address, on a free port of the loopback.
 * @param env what the bench starts programs with, or what lets it look into them
 */
export async function startIngot(dataDir: string, env = environment): Promise<RunningIngot> {
  const began = performance.now()
  const child = spawn(program, ['start', '--json', '--data-dir', dataDir, '--port', '0', ...UNLIMITED], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const greeting = await firstLine(child)
  const { url, token } = JSON.parse(greeting) as { url: string; token: string }
  return { url, token, pid: child.pid as number, startedIn: performance.now() - began, stop: () => end(child) }
}

async function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface(child.stdout as NonNullable<typeof child.stdout>)
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`Ingot ended with ${code ?? signal} before it listened`)
  })
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string]
  return line
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
