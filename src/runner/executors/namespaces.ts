/**
 * Namespaces for the programs of jobs, made by bubblewrap. In them a program sees the files of the machine as they are and can write none of
 * them but those of its job; it sees nothing of other jobs, and no process but its own, all of which end with it. Network and processors are
 * those of the machine: this keeps jobs apart, and is no virtual machine.
 */
import { access, constants, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, sep } from 'node:path'

/** How programs are kept apart: plain data, so that an executor can be sent it. */
export interface Namespaces {
  /** The absolute path of bubblewrap. */
  readonly program: string
  /** Folders in which a job finds nothing but its own: those of other jobs, of the server, and of all users. */
  readonly hidden: readonly string[]
  /** Files outside of these folders that no job can read. */
  readonly masked: readonly string[]
  /** What a job reads below a hidden folder. */
  readonly shown: readonly string[]
}

/** What makes a program run in namespaces: a command without secrets, and options that are written to its file descriptor 3. */
export interface Wrapped {
  readonly program: string
  readonly args: readonly string[]
  readonly options: string
}

/** The file descriptor from which bubblewrap reads its options: arguments of a process can be read by every user of the machine. */
const OPTIONS = 3

export interface WrapOptions {
  /** The folder of the job: the only one that it can write to, besides empty temporary ones. */
  readonly directory: string
  readonly cwd: string
  /** bubblewrap itself is started without it: a variable must not reach what runs outside (`LD_PRELOAD`). */
  readonly environment: Readonly<Record<string, string>>
}

/** The command that runs a program in namespaces. */
export function wrapped(
  namespaces: Namespaces,
  program: string,
  args: readonly string[],
  { directory, cwd, environment }: WrapOptions,
): Wrapped {
  const options = [
    ['--die-with-parent'],
    ['--unshare-pid'],
    ['--unshare-ipc'],
    ['--ro-bind', '/', '/'],
    ['--dev', '/dev'],
    ['--proc', '/proc'],
    ...namespaces.hidden.map(folder => ['--tmpfs', folder]),
    ...namespaces.masked.map(file => ['--ro-bind', '/dev/null', file]),
    ...namespaces.shown.map(path => ['--ro-bind', path, path]),
    ['--bind', directory, directory],
    ['--chdir', cwd],
    ['--clearenv'],
    ...Object.entries(environment).map(([key, value]) => ['--setenv', key, value]),
  ]
  return {
    program: namespaces.program,
    args: ['--args', String(OPTIONS), '--', program, ...args],
    options: options
      .flat()
      .map(word => `${word}\0`)
      .join(''),
  }
}

export interface FindOptions {
  /** Where programs are looked for: a `PATH`. */
  readonly path: string
  /** Folders and files of which jobs see nothing, besides the folders of all users: that of all jobs, the server's, files with secrets. */
  readonly hidden: readonly string[]
  /** What they need all the same. */
  readonly shown: readonly string[]
}

/** Folders with files and sockets of all users: a socket there may lead out of the namespaces. */
const SHARED = ['/tmp', '/var/tmp', '/run/user', tmpdir()]

/** Describes the namespaces of this machine; undefined where bubblewrap is not installed. Whether they can be made, a trial tells. */
export async function findNamespaces({ path, hidden, shown }: FindOptions): Promise<Namespaces | undefined> {
  const program = await inPath('bwrap', path)
  if (program === undefined) return undefined
  const existing = await Promise.all([...SHARED, ...hidden].map(path => realpath(path).catch(() => undefined)))
  // Shorter ones first: a folder within another one is mounted after it.
  const paths = [...new Set(existing)].filter(path => path !== undefined && path !== '/').sort() as string[]
  const folders: string[] = []
  const masked: string[] = []
  for (const path of paths) ((await stat(path)).isDirectory() ? folders : masked).push(path)
  return {
    program,
    hidden: folders,
    masked: masked.filter(file => !folders.some(folder => file.startsWith(folder + sep))),
    shown: await Promise.all(shown.map(file => realpath(file))),
  }
}

/** The file of a program; undefined where no folder of the `PATH` has it. */
export async function inPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(part => part.startsWith('/'))) {
    const file = join(folder, name)
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  return undefined
}
