/**
 * The only place that starts git.
 *
 * Every process gets an environment of its own (nothing of the user's or the machine's configuration), flags that are
 * literals of our code, values behind `--end-of-options`, paths behind `--` taken literally, a time limit, and an end:
 * when its consumer goes away it is killed.
 */
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { GitError, GitProcessError, RepositoryMissing, TooLarge } from '../errors.ts'
import type { GitPlace } from '../storage/repository.ts'
import { watchMemory } from './memory_watch.ts'
import { launch } from './spawner/launcher.ts'
import { type Subcommand, type SubcommandName, subcommands } from './subcommands.ts'

/** Number of git processes started, in all and by subcommand; tests assert that a request starts a fixed number. */
export const gitProcesses = { started: 0, by: new Map<SubcommandName, number>() }

/**
 * Questions whose answer may take a walk over a history, as long as those who pushed it made it; counted also where the answer is kept or found in a few
 * steps. Tests hold that a request with one takes a place of those for such work.
 */
export const historyQuestions = { asked: 0 }

/** Number of times that references were moved without git; tests put back what a request moved. */
export const movesWithoutGit = { made: 0 }

/** Settings for every process, which override the repository's own configuration. */
const configuration: readonly (readonly [string, string])[] = [
  ['safe.directory', '*'],
  ['core.hooksPath', '/dev/null'],
  ['core.quotePath', 'false'],
  ['core.fsync', 'committed,reference'],
  // Concurrent pushes may need the same lock: wait for it instead of refusing.
  ['core.filesRefLockTimeout', '10000'],
  ['core.packedRefsTimeout', '10000'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['receive.autogc', 'false'],
  ['diff.renameLimit', '1000'],
  ['log.showSignature', 'false'],
  ['advice.detachedHead', 'false'],
  ['protocol.file.allow', 'always'],
  ['tar.tar.bz2.command', 'bzip2 -c'],
  // Each object is asked about as often as a filter has filters in it, and each path for each of its patterns: ten kilobytes kept git busy for minutes.
  ['uploadpackfilter.combine.allow', 'false'],
  ['uploadpackfilter.sparse:oid.allow', 'false'],
]

const baseEnvironment: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  GIT_CONFIG_COUNT: String(configuration.length),
  ...Object.fromEntries(
    configuration.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
}

/** Further settings for one command, as its `environment`. Names are literals of our code. */
export function withConfiguration(more: readonly (readonly [string, string])[]): Record<string, string> {
  return {
    GIT_CONFIG_COUNT: String(configuration.length + more.length),
    ...Object.fromEntries(
      more.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${configuration.length + index}`, key],
        [`GIT_CONFIG_VALUE_${configuration.length + index}`, value],
      ]),
    ),
  }
}

/** What to run. Only `flags` may begin with a dash: they come from our code, not from a user. */
export interface GitCommand {
  readonly subcommand: SubcommandName
  /** Literals; a flag that takes a value from outside is given as two items (`'--author', value`). */
  readonly flags?: readonly string[]
  /** Revisions, refs, directories: behind `--end-of-options`. */
  readonly values?: readonly string[]
  /** Paths inside the repository: behind `--`, never patterns. */
  readonly paths?: readonly string[]
  /** Added to the environment; names are literals of our code. */
  readonly environment?: Readonly<Record<string, string>>
  /** Exit codes that are an answer and not a failure (0 always is). */
  readonly answers?: readonly number[]
  readonly timeoutMs?: number
  /** Megabytes of memory that each of its processes may map; default: as for all of its kind. */
  readonly memory?: number
  /** Megabytes of memory that it and the processes that it starts may fill together; it is ended beyond them, as `too_large`; default: as for all of its kind. */
  readonly resident?: number
  readonly signal?: AbortSignal | undefined
}

/** How a process ended. */
export interface GitExit {
  readonly exitCode: number
  /** The end of standard error, for the log. */
  readonly stderr: string
}

/** A running git. `stdout` must be consumed; `done` rejects with a `GitError` unless the process ended well. */
export interface GitProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Undefined until the process runs. */
  readonly pid: number | undefined
  readonly done: Promise<GitExit>
  kill(): void
}

function argumentsOf({ subcommand, flags = [], values, paths }: GitCommand): string[] {
  const valued = values === undefined ? [] : subcommands[subcommand].endOfOptions ? ['--end-of-options', ...values] : values
  return [subcommand, ...flags, ...valued, ...(paths === undefined ? [] : ['--', ...paths])]
}

/** The program and its arguments: git, or a shell that limits its memory and becomes git. */
function programOf(command: GitCommand, limits: Subcommand) {
  const given = argumentsOf(command)
  const memory = command.memory ?? limits.memory
  if (memory === undefined) return { program: 'git', arguments: given }
  const script = 'ulimit -v "$0" 2>/dev/null; exec git "$@"'
  return { program: 'sh', arguments: ['-c', script, String(memory * 1024), ...given] }
}

/**
 * Starts git in a repository; its streams are open when this resolves. Fails here or through `done`: `not_found` if the repository is gone,
 * `timeout`, `aborted`, `corrupt` if a reading command with valid ids died, `failed` otherwise.
 */
export async function startGit(place: GitPlace, command: GitCommand): Promise<GitProcess> {
  const limits: Subcommand = subcommands[command.subcommand]
  gitProcesses.started += 1
  gitProcesses.by.set(command.subcommand, (gitProcesses.by.get(command.subcommand) ?? 0) + 1)
  const child = await launch({
    ...programOf(command, limits),
    directory: place.path,
    environment: { ...baseEnvironment, GIT_DIR: place.path, PATH: place.searchPath, ...command.environment },
    niceness: limits.niceness,
  }).catch(error => {
    throw notStarted(place, error)
  })
  const { stdin, stdout } = child

  let stopped: 'timeout' | 'aborted' | 'killed' | 'too_large' | undefined
  const stop = (why: typeof stopped) => {
    stopped ??= why
    child.kill()
  }
  const timer = setTimeout(() => stop('timeout'), command.timeoutMs ?? limits.timeoutMs)
  timer.unref()
  const resident = command.resident ?? limits.resident
  const forget =
    resident === undefined
      ? undefined
      : watchMemory(
          () => child.pid,
          resident,
          () => stop('too_large'),
        )
  const onAbort = () => stop('aborted')
  if (command.signal?.aborted) onAbort()
  else command.signal?.addEventListener('abort', onAbort, { once: true })
  // The consumer went away before the end: the rest will not be read.
  stdout.once('close', () => {
    if (!stdout.readableEnded) stop('aborted')
  })

  const settle = () => {
    clearTimeout(timer)
    forget?.()
    command.signal?.removeEventListener('abort', onAbort)
  }
  const done = child.ended.then(
    ({ exitCode, stderr }): GitExit => {
      settle()
      if (exitCode !== null && (exitCode === 0 || command.answers?.includes(exitCode))) return { exitCode, stderr }
      if (stopped === 'timeout' || stopped === 'aborted' || stopped === 'too_large')
        throw new GitProcessError(stopped, command.subcommand, exitCode, stderr)
      if (!existsSync(place.path)) throw new RepositoryMissing()
      // 128 is git's `die`. Callers pass only ids they have seen, so a reader that dies could not read the repository.
      const kind = diskFault(place.path) ?? (exitCode === 128 && limits.access === 'read' ? 'corrupt' : 'failed')
      throw new GitProcessError(kind, command.subcommand, exitCode, stderr)
    },
    error => {
      settle()
      throw notStarted(place, error)
    },
  )
  // The caller gets the rejection from `done`; it must not also count as unhandled while a stream is still being read.
  done.catch(() => {})
  return {
    stdin,
    stdout,
    get pid() {
      return child.pid
    },
    done,
    kill: () => stop('killed'),
  }
}

/** With less than this free, a git that failed has had no room: what it had begun to write, it has taken away again. In bytes. */
const LITTLE = 16 * 1024 * 1024

/** Whether the disk of a repository is full or read only: git says it in words alone, which differ from call to call. */
function diskFault(path: string): 'no_room' | 'read_only' | undefined {
  try {
    accessSync(path, constants.W_OK)
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize < LITTLE ? 'no_room' : undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS' ? 'read_only' : undefined
  }
}

const notStarted = ({ path }: GitPlace, error: unknown): GitError =>
  existsSync(path) ? new GitError('failed', 'git could not be started', String(error)) : new RepositoryMissing()

/** The output of a finished command. */
export interface GitOutput extends GitExit {
  readonly stdout: Buffer
}

/**
 * Runs git to its end and returns what it wrote, up to `maxOutputBytes` (`too_large` beyond, and the process is killed).
 * `input` is written to its standard input.
 */
export async function runGit(
  place: GitPlace,
  command: GitCommand & { readonly input?: string | Buffer; readonly maxOutputBytes?: number },
): Promise<GitOutput> {
  const limit = command.maxOutputBytes ?? subcommands[command.subcommand].maxOutputBytes
  const git = await startGit(place, command)
  git.stdin.end(command.input)
  const chunks: Buffer[] = []
  let bytes = 0
  let overflow: TooLarge | undefined
  git.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= limit) chunks.push(chunk)
    else if (overflow === undefined) {
      overflow = new TooLarge(`The output of git ${command.subcommand}`, limit)
      git.kill()
    }
  })
  const exit = await git.done.catch(error => {
    throw overflow ?? error
  })
  if (overflow !== undefined) throw overflow
  return { ...exit, stdout: Buffer.concat(chunks) }
}

/**
 * The standard output of a command as a stream that fails when git fails. Destroying it kills git. Nothing is written
 * to its standard input.
 */
export async function* streamGit(place: GitPlace, command: GitCommand): AsyncGenerator<Buffer, void, void> {
  const git = await startGit(place, command)
  git.stdin.end()
  try {
    yield* git.stdout as AsyncIterable<Buffer>
    await git.done
  } finally {
    git.kill()
    git.stdout.destroy()
    await finished(git.stdout).catch(() => {})
    await git.done.catch(() => {})
  }
}

/** Splits NUL-terminated output into texts; the last terminator ends the list. */
export function splitNul(output: Buffer | string): string[] {
  const items = output.toString('utf8').split('\0')
  if (items.at(-1) === '') items.pop()
  return items
}

/**
 * Compares files, and where git takes more memory for it than there is for one process, once more: then files of more than a megabyte count as binary ones,
 * as those of more than 512 MB do in any case.
 * @param compare takes the environment of the process
 */
export async function comparingLarge<T>(compare: (environment: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  try {
    return await compare({})
  } catch (error) {
    if (!(error instanceof GitProcessError && error.kind === 'too_large')) throw error
    return compare(withConfiguration([['core.bigFileThreshold', '1m']]))
  }
}
