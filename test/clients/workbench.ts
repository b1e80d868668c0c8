/**
 * A workbench for other people's programs: a directory that is their home, and a way to run them as they are. Nothing
 * of the machine's own configuration reaches them, and nothing of theirs stays.
 */
import { type ChildProcess, execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** How a program ended, with what it said. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** `stdout` as it came. */
  readonly bytes: Buffer
}

export interface RunOptions {
  /** Where it runs; the workbench's directory unless given. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** What it reads from its standard input; nothing unless given. */
  readonly input?: string | Buffer
}

export interface Workbench {
  /** Also the home directory of the programs. */
  readonly directory: string
  /** Runs a program that must succeed and gives what it printed. */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<string>
  /** Runs a program that may fail. Not being able to start it is an error still. */
  attempt(program: string, args: readonly string[], options?: RunOptions): Promise<Outcome>
  /** Is the program installed, and does it end well with these arguments? */
  has(program: string, args: readonly string[]): Promise<boolean>
}

/** Milliseconds after which a program that does not end is ended. */
const patience = 120_000

/** Bytes that a program may print. */
const maxOutput = 64 * 1024 * 1024

/** Makes a workbench that goes when the file's tests are over; to be called at the top of a test file. */
export async function openWorkbench(): Promise<Workbench> {
  const directory = await mkdtemp(join(tmpdir(), 'ingot-clients-'))
  after(() => rm(directory, { recursive: true, force: true }))
  const attempt: Workbench['attempt'] = (program, args, { cwd = directory, env, input } = {}) =>
    start(program, args, cwd, { ...environment(directory), ...env }, input)
  return {
    directory,
    attempt,
    async run(program, args, options) {
      const outcome = await attempt(program, args, options)
      if (outcome.code !== 0)
        throw new Error(`${[program, ...args].join(' ')} ended with ${outcome.code}:\n${outcome.stdout}${outcome.stderr}`)
      return outcome.stdout
    },
    async has(program, args) {
      try {
        return (await attempt(program, args)).code === 0
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
        throw error
      }
    },
  }
}

function environment(home: string): Record<string, string> {
  return {
    // biome-ignore lint/style/noProcessEnv: programs are found where the tests' own are
    PATH: process.env.PATH ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    // git must not ask a person, nor read the machine's configuration.
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
  }
}

function start(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  input: string | Buffer | undefined,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = execFile(
      program,
      args,
      { cwd, env, encoding: 'buffer', maxBuffer: maxOutput, timeout: patience },
      (error, bytes, stderr) => {
        // Only an exit code is the program's own end; no such program, a signal or too much output are not.
        if (error && typeof error.code !== 'number') return reject(error)
        const code = error ? (error.code as unknown as number) : 0
        resolve({ code, stdout: bytes.toString('utf8'), stderr: stderr.toString('utf8'), bytes })
      },
    )
    // A program that ends without reading its input is no failure: its exit code says what it was.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
