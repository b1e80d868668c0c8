/** The files of the database: made once, in a directory beside the final one, so that a half-made cluster never counts. */
import { spawn } from 'node:child_process'
import { chown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { changeOwner, type User } from './account.ts'
import { unpackCluster } from './archive.ts'
import { EmbeddedError } from './error.ts'
import type { Home } from './home.ts'
import { isAlive } from './pidfile.ts'
import { plainEnvironment, settingsArguments } from './settings.ts'

/** Name of the database and of the role that owns it. */
export const databaseName = 'ingot'

/** The major version of PostgreSQL whose files this Ingot reads. */
export const majorVersion = '18'

/** What a cluster is made from. */
export interface ClusterOrigin {
  /** Nothing waits for the disk. */
  readonly isEphemeral: boolean
  /** An archive of a cluster (archive.ts), of this version of PostgreSQL; without one, an empty cluster is made. */
  readonly prepared?: string | undefined
}

/** A cluster in the making is named after the process that makes it. */
const partialPrefix = `${majorVersion}.new-`

/** How clusters are made: UTF-8, ordering by code point independent of the system's locales, data checksums, one role. */
export const clusterFlags: readonly string[] = [
  ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums'],
  ...[`--username=${databaseName}`, '--auth-local=trust', '--auth-host=reject'],
]

/** The directory of the cluster in a home. It exists when it is complete. */
export const clusterIn = (home: Home): string => join(home.dir, majorVersion)

/**
 * Makes the cluster when the home has none, with one database `ingot`.
 * @throws EmbeddedError when the home holds another major version's data, or initdb fails
 */
export async function ensureCluster(home: Home, origin: ClusterOrigin): Promise<void> {
  const entries = await readdir(home.dir)
  if (entries.includes(majorVersion)) return
  const other = entries.find(name => /^\d+$/.test(name))
  if (other) {
    throw new EmbeddedError(
      `${home.dir} holds data of PostgreSQL ${other}, this Ingot brings ${majorVersion}: dump it with the Ingot that wrote it, and load the dump`,
    )
  }
  for (const leftover of entries.filter(name => name.startsWith(partialPrefix))) {
    const maker = Number(leftover.slice(partialPrefix.length))
    if (maker === process.pid || !isAlive(maker)) await rm(join(home.dir, leftover), { recursive: true })
  }

  const partial = join(home.dir, `${partialPrefix}${process.pid}`)
  if (origin.prepared === undefined) await initialise(partial, home, origin)
  else await unpackCluster(origin.prepared, partial, home.user)
  await assertVersion(partial)
  await rename(partial, clusterIn(home)).catch(async error => {
    await rm(partial, { recursive: true })
    // Another Ingot made the cluster at the same moment: who may use it is decided when the server starts.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
}

async function initialise(directory: string, { programs, user, initialiser }: Home, { isEphemeral }: ClusterOrigin): Promise<void> {
  if (initialiser) {
    await mkdir(directory, { mode: 0o700 })
    await chown(directory, initialiser.uid, initialiser.gid)
  }
  const haste = isEphemeral ? ['--no-sync'] : []
  await run(programs.initdb, ['-D', directory, ...clusterFlags, ...haste, '--no-instructions'], initialiser)
  // In single-user mode the cluster is complete before it counts, and no other client sees it unfinished.
  const single = ['--single', '-D', directory, ...settingsArguments(isEphemeral), 'template1']
  await run(programs.postgres, single, initialiser, `alter database postgres rename to ${databaseName};\n`)
  if (user) await changeOwner(directory, user)
}

async function assertVersion(cluster: string): Promise<void> {
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  if (version !== majorVersion)
    throw new EmbeddedError(`The installed PostgreSQL is version ${version}, this Ingot needs ${majorVersion}: run npm ci`)
}

/** Runs a program to its end. @throws EmbeddedError with what it printed when it fails */
async function run(program: string, args: string[], user: User | undefined, input = ''): Promise<void> {
  const child = spawn(program, args, { ...user, cwd: '/', env: plainEnvironment, stdio: ['pipe', 'ignore', 'pipe'] })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
  child.stdin.end(input)
  const [printed, status] = await Promise.all([text(child.stderr), ended]).catch(cause => {
    throw new EmbeddedError(`The database could not be made: ${program} did not start (${cause.code})`, { cause })
  })
  if (status !== 0) throw new EmbeddedError(`The database could not be made: ${printed.trim().replaceAll('\n', ' ')} (status ${status})`)
}
