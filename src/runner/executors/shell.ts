/** Runs programs of a job, each in a process group of its own, which is killed at the end. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { type Namespaces, wrapped } from './namespaces.ts'

/** How a program ended. */
export type Outcome =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'stopped'; readonly reason: unknown }
  | { readonly kind: 'unstartable'; readonly error: Error }

export interface RunOptions {
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** Gets the output of the program, both streams. */
  readonly onOutput: (bytes: Buffer) => void
  /**
   * Ends the program and all processes in its group. In namespaces they end with the first signal: bubblewrap ends by it, and they with
   * bubblewrap.
   */
  readonly signal: AbortSignal
  /** The namespaces in which it runs, and the folder of its job; without them it runs on the machine itself. */
  readonly apart?: { readonly namespaces: Namespaces; readonly directory: string } | undefined
}

/** Milliseconds between SIGTERM and SIGKILL, and for which the output may stay open after the end of a program. */
const GRACE = 3000

/** Running programs: if the runner ends unexpectedly, they are killed with it. */
const alive = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of alive) killGroup(child, 'SIGKILL')
})

/** Runs a program to its end. Never throws. */
export function runProgram(program: string, args: readonly string[], options: RunOptions): Promise<Outcome> {
  const { onOutput, signal } = options
  if (signal.aborted) return Promise.resolve({ kind: 'stopped', reason: signal.reason })
  return new Promise(resolve => {
    const child = start(program, args, options)
    alive.add(child)
    let outcome: Outcome | undefined
    const timers: NodeJS.Timeout[] = []
    const stop = () => {
      killGroup(child, 'SIGTERM')
      timers.push(setTimeout(() => killGroup(child, 'SIGKILL'), GRACE))
    }
    signal.addEventListener('abort', stop, { once: true })
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    child.once('error', error => {
      outcome = { kind: 'unstartable', error }
      if (child.pid === undefined) end()
    })
    child.once('exit', (code, killedBy) => {
      outcome ??= signal.aborted ? { kind: 'stopped', reason: signal.reason } : { kind: 'exited', code: code ?? (killedBy ? 137 : 1) }
      // Processes that the program has left running in its group are killed.
      killGroup(child, 'SIGKILL')
      timers.push(setTimeout(() => [child.stdout, child.stderr].map(stream => stream.destroy()), GRACE))
    })
    child.once('close', end)

    function end() {
      signal.removeEventListener('abort', stop)
      alive.delete(child)
      for (const timer of timers) clearTimeout(timer)
      resolve(outcome ?? { kind: 'exited', code: 1 })
    }
  })
}

/** A process of its own group, with both streams of output. */
type Started = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable }

function start(program: string, args: readonly string[], { cwd, environment, apart }: RunOptions): Started {
  if (!apart) return spawn(program, args, { cwd, env: { ...environment }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const { directory, namespaces } = apart
  const command = wrapped(namespaces, program, args, { directory, cwd, environment })
  const child = spawn(command.program, command.args, { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], detached: true })
  const input = child.stdio[3] as Writable
  // It may end before it has read this; its own words and its status say why.
  input.on('error', () => {})
  input.end(command.options)
  return child as Started
}

function killGroup({ pid }: ChildProcess, how: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, how)
  } catch {
    // The group is empty already.
  }
}

/** Quotes a text as one word for a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** How a script ends with the first failing command, in each shell; `any`: it is not known which one will run it. */
const STRICT = {
  bash: 'set -eo pipefail',
  sh: 'set -e',
  any: 'set -e\nif [ -n "$BASH_VERSION" ]; then set -o pipefail; fi',
} as const

/**
 * A script for a shell: each command is printed before it runs, and the first failing one ends the script.
 * @param commands as in the CI file, each of one line or more
 * @param variables what it exports first
 */
export function scriptOf(
  commands: readonly string[],
  shell: 'bash' | 'sh' | 'any',
  variables: Readonly<Record<string, string>> = {},
): string {
  const lines = commands.flatMap(command => {
    const [first = '', ...more] = command.split('\n')
    const shown = more.some(line => line.trim() !== '') ? `${first} # collapsed multi-line command` : first
    return [`printf '\\033[32;1m%s\\033[0;m\\n' ${quoted(`$ ${shown}`)}`, command]
  })
  const exported = Object.entries(variables).map(([key, value]) => `export ${key}=${quoted(value)}`)
  return [STRICT[shell], 'set +o noclobber', ...exported, ...lines, ''].join('\n')
}
