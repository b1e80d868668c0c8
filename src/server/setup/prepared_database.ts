/**
 * The database that ephemeral instances begin with. Making the files of a database and migrating it is most of what a start takes, and comes
 * to the same every time; so the first ephemeral start keeps it, empty, as a file beside the compiled code, and the next ones unpack it.
 */
import { createHash } from 'node:crypto'
import { access, constants, mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clusterFlags } from '../../platform/db/embedded/cluster.ts'
import { programsVersion } from '../../platform/db/embedded/home.ts'
import { packEmbedded, startEmbedded } from '../../platform/db/embedded.ts'
import type { Log } from '../../platform/db/log.ts'
import { migrate, schemaDigest } from '../../platform/db/migrate.ts'

/** Where such files are kept, beside what `bin/ingot` has Node keep. */
const standardFolder = fileURLToPath(new URL('../../../node_modules/.cache/ingot-databases', import.meta.url))

/** Files of other versions go when they are this old, in milliseconds. */
const KEPT = 30 * 24 * 60 * 60 * 1000

/**
 * The archive of an empty, migrated database, made when there is none yet for this version.
 * @param folder where it is kept
 * @returns its path; undefined where it cannot be kept, say in an installation that belongs to somebody else: a database is made then each time
 */
export async function preparedDatabase(log: Log, folder: string = standardFolder): Promise<string | undefined> {
  try {
    const file = join(folder, `${await digest()}.tar`)
    if (!(await isThere(file))) await prepare(file, log)
    return file
  } catch (error) {
    // Whatever is wrong with the database itself, making one without keeping it says so.
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
  // Known before the work, and not after it.
  await mkdir(dirname(file), { recursive: true })
  await access(dirname(file), constants.W_OK)
  const dataDir = await mkdtemp(join(tmpdir(), 'ingot-prepare-'))
  try {
    // Not an ephemeral one: its files are needed after it has stopped.
    const server = await startEmbedded({ dataDir, log })
    await migrate({ url: server.url, log }).finally(() => server.stop())
    await packEmbedded({ dataDir, log }, file)
  } finally {
    // The database may be kept elsewhere, behind a link (platform/db/embedded/home.ts).
    const database = await realpath(join(dataDir, 'postgresql')).catch(() => dataDir)
    for (const folder of [database, dataDir]) await rm(folder, { recursive: true, force: true })
  }
  await removeOlder(file)
}

/** Removes what has been there for long when this one was made. */
async function removeOlder(made: string): Promise<void> {
  const folder = dirname(made)
  const { mtimeMs: now } = await stat(made)
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const { mtimeMs } = await stat(file)
    if (now - mtimeMs > KEPT) await rm(file, { force: true })
  }
}
