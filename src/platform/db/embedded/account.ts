/**
 * As whom the embedded database runs where Ingot itself runs as root, which PostgreSQL refuses to do.
 *
 * It gets a uid and a gid of its own, and not those of `nobody`: any program of the machine may run as `nobody`, and whoever has the uid of the
 * database reads its files, connects to it as its superuser and traces its processes.
 */
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedError } from './error.ts'

/** Who runs a program. */
export type User = { uid: number; gid: number }

/** Numbers that no account has: systemd's division of the uids leaves 60706 to 61183 unused. The runner has the next (runner/account.ts). */
const own: User = { uid: 60_706, gid: 60_706 }

/**
 * The user for a database: the owner of its directory where that is somebody's on purpose, else one of its own.
 * @param home the directory of the database; undefined when there is none yet
 * @throws EmbeddedError the system runs nothing as another user
 */
export async function databaseUser(home: string | undefined): Promise<User> {
  if (process.platform !== 'linux')
    throw new EmbeddedError('The embedded PostgreSQL does not run as root on this system: start Ingot as an ordinary user')
  if (home !== undefined) {
    const { uid, gid } = await stat(home)
    // Earlier versions ran it as `nobody`: its files are given to the user of its own (`takeOver`).
    if (uid !== 0 && uid !== (await nobody())?.uid) return { uid, gid }
  }
  return own
}

/**
 * Who runs `initdb`, which looks its own user up by name: for a user without a name that is `nobody`, in the group of the database, so that the
 * other processes of `nobody` can neither reach the files nor trace the program.
 * @throws EmbeddedError there is no user `nobody`
 */
export async function initialisingUser(user: User): Promise<User> {
  if ((await accounts()).some(({ uid }) => uid === user.uid)) return user
  const named = await nobody()
  if (!named) throw new EmbeddedError('PostgreSQL does not run as root and there is no user `nobody`: start Ingot as an ordinary user')
  return { uid: named.uid, gid: user.gid }
}

/** Lets the user pass through a directory that only root may enter, as Ingot makes it, without being able to list it. */
export async function letThrough(directory: string, { gid }: User): Promise<void> {
  const { uid, gid: group, mode } = await stat(directory)
  if (uid !== 0 || mode & 0o001 || (group === gid && mode & 0o010)) return
  // A group that was let in on purpose keeps its rights.
  if (group !== 0 && (mode & 0o070) !== 0o010) return
  await chown(directory, 0, gid)
  await chmod(directory, 0o710)
}

/** Gives a directory and all that is in it to the user, where it is somebody else's. No server may run on it. */
export async function takeOver(directory: string, { uid, gid }: User): Promise<void> {
  const owner = await stat(directory)
  if (owner.uid === uid && owner.gid === gid) return
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    await lchown(join(entry.parentPath, entry.name), uid, gid)
  // Last: a crash in between leaves it to be done again.
  await chown(directory, uid, gid)
}

const nobody = async () => (await accounts()).find(({ name }) => name === 'nobody')

async function accounts(): Promise<{ name: string; uid: number }[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'))
  return lines.flatMap(([name, , uid]) => (name && uid ? [{ name, uid: Number(uid) }] : []))
}
