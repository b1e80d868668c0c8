/** The files of the database: made once, in a directory beside the final one, so that a half-made cluster never counts. */
import { spawn } from 'node:child_process'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { EmbeddedError } from './error.ts'
import type { Home, User } from './home.ts'
import { isAlive } from './pidfile.ts'
import { settingsArguments } from './settings.ts'

/** Name of the database and of the role that owns it. */
export const databaseName = 'ingot'

/** The major version of PostgreSQL whose files this Ingot reads. */
export const majorVersion = '18'

/** A cluster in the making is named after the process that makes it. */
const partialPrefix = `${majorVersion}.new-`

/** Environment of every database process: nothing of Ingot's own, which holds secrets. */
export const plainEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** The directory of the cluster in a home. It exists when it is complete. */
export const clusterIn = (home: Home): string => join(home.dir, majorVersion)

/**
 * Makes the cluster when the home has none: UTF-8, ordering by code point independent of the system's locales, data checksums, one database `ingot`.
 * @param isEphemeral do not wait for the disk
 * @throws EmbeddedError when the home holds another major version's data, or initdb fails
 */
export async function ensureCluster(home: Home, isEphemeral: boolean): Promise<void> {
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
  const flags = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums']
  const access = [`--username=${databaseName}`, '--auth-local=trust', '--auth-host=reject']
  const haste = isEphemeral ? ['--no-sync'] : []
  await run(home.programs.initdb, ['-D', partial, ...flags, ...access, ...haste, '--no-instructions'], home.user)
  // In single-user mode the cluster is complete before it counts, and no other client sees it unfinished.
  const single = ['--single', '-D', partial, ...settingsArguments(isEphemeral), 'template1']
  await run(home.programs.postgres, single, home.user, `alter database postgres rename to ${databaseName};\n`)
  await assertVersion(partial)
  await rename(partial, clusterIn(home)).catch(async error => {
    await rm(partial, { recursive: true })
    // Another Ingot made the cluster at the same moment: who may use it is decided when the server starts.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
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
