/**
 * The database that ephemeral instances start from. Initialising a cluster and migrating it is most of the start time, and the result is
 * always the same. So the first ephemeral start keeps it, empty, as an archive beside the compiled code, and later starts unpack it.
 */
import { createHash } from 'node:crypto'
import { access, constants, mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clusterFlags } from '../../platform/db/embedded/cluster.ts'
import { packEmbedded, startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { programsVersion } from '../../platform/db/embedded/home.ts'
import type { Log } from '../../platform/db/log.ts'
import { migrate, schemaDigest } from '../../platform/db/migrating/migrate.ts'

/** The folder of the archives, beside Node's compile cache of `bin/ingot`. */
const standardFolder = fileURLToPath(new URL('../../../node_modules/.cache/ingot-databases', import.meta.url))

/** Archives of other versions are removed at this age, in milliseconds. */
const KEPT = 30 * 24 * 60 * 60 * 1000

/**
 * The archive of an empty, migrated database, created if there is none for this version.
 * @param folder where it is kept
 * @returns its path; undefined if it cannot be kept, for example in an installation that another user owns: then every start creates a
 * database
 */
export async function preparedDatabase(log: Log, folder: string = standardFolder): Promise<string | undefined> {
  try {
    const file = join(folder, `${await digest()}.tar`)
    if (!(await isThere(file))) await prepare(file, log)
    return file
  } catch (error) {
    // If the database itself is the problem, creating one without an archive reports it.
    log.debug({ err: error }, 'no prepared database is kept')
    return undefined
  }
}

async function digest(): Promise<string> {
  const parts = [process.platform, process.arch, await programsVersion(), ...clusterFlags, await schemaDigest()]
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

async function prepare(file: string, log: Log): Promise<void> {
  // A folder that cannot be written fails here, before the work.
  await mkdir(dirname(file), { recursive: true })
  await access(dirname(file), constants.W_OK)
  const dataDir = await mkdtemp(join(tmpdir(), 'ingot-prepare-'))
  try {
    // Not an ephemeral one: its files are needed after it has stopped.
    const server = await startEmbedded({ dataDir, log })
    await migrate({ url: server.url, log }).finally(() => server.stop())
    await packEmbedded({ dataDir, log }, file)
  } finally {
    // The database may be behind a link elsewhere (platform/db/embedded/home.ts).
    const database = await realpath(join(dataDir, 'postgresql')).catch(() => dataDir)
    for (const folder of [database, dataDir]) await rm(folder, { recursive: true, force: true })
  }
  await removeOlder(file)
}

/** Removes old archives. */
async function removeOlder(made: string): Promise<void> {
  const folder = dirname(made)
  const { mtimeMs: now } = await stat(made)
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const { mtimeMs } = await stat(file)
    if (now - mtimeMs > KEPT) await rm(file, { force: true })
  }
}
