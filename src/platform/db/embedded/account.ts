/**
 * The user that runs the embedded database when Ingot runs as root, which PostgreSQL refuses.
 *
 * It has its own uid and gid, not those of `nobody`: any program of the machine may run as `nobody`, and every process with the uid of the
 * database can read its files, connect to it as its superuser and trace its processes.
 */
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedError } from './error.ts'

/** The ids that a program runs with. */
export type User = { uid: number; gid: number }

/**
 * Ids that no account has: systemd's division of the uids leaves 60706 to 61183 unused. The runner uses the next one (runner/executors/account.ts).
 */
const own: User = { uid: 60_706, gid: 60_706 }

/**
 * The user for a database: the owner of its directory if that was set on purpose, else the reserved one.
 * @param home the directory of the database; undefined if there is none yet
 * @throws EmbeddedError the system runs nothing as another user
 */
export async function databaseUser(home: string | undefined): Promise<User> {
  if (process.platform !== 'linux')
    throw new EmbeddedError('The embedded PostgreSQL does not run as root on this system: start Ingot as an ordinary user')
  if (home !== undefined) {
    const { uid, gid } = await stat(home)
    // Earlier versions ran it as `nobody`: `changeOwner` gives the files to the reserved user.
    if (uid !== 0 && uid !== (await nobody())?.uid) return { uid, gid }
  }
  return own
}

/**
 * The user that runs `initdb`, which looks up its own user by name. For a uid without a name that is `nobody`, in the group of the
 * database, so that other processes of `nobody` can neither reach the files nor trace the program.
 * @throws EmbeddedError there is no user `nobody`
 */
export async function initialisingUser(user: User): Promise<User> {
  if ((await accounts()).some(({ uid }) => uid === user.uid)) return user
  const named = await nobody()
  if (!named) throw new EmbeddedError('PostgreSQL does not run as root and there is no user `nobody`: start Ingot as an ordinary user')
  return { uid: named.uid, gid: user.gid }
}

/** Lets the user pass through a directory that only root may enter, as Ingot creates it, without letting them list it. */
export async function allowTraversal(directory: string, { gid }: User): Promise<void> {
  const { uid, gid: group, mode } = await stat(directory)
  if (uid !== 0 || mode & 0o001 || (group === gid && mode & 0o010)) return
  // A group with access keeps its rights.
  if (group !== 0 && (mode & 0o070) !== 0o010) return
  await chown(directory, 0, gid)
  await chmod(directory, 0o710)
}

/** Gives a directory and its contents to the user, where another user owns it. No server may run on it. */
export async function changeOwner(directory: string, { uid, gid }: User): Promise<void> {
  const owner = await stat(directory)
  if (owner.uid === uid && owner.gid === gid) return
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    await lchown(join(entry.parentPath, entry.name), uid, gid)
  // The directory comes last: after a crash in between the work is done again.
  await chown(directory, uid, gid)
}

const nobody = async () => (await accounts()).find(({ name }) => name === 'nobody')

async function accounts(): Promise<{ name: string; uid: number }[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'))
  return lines.flatMap(([name, , uid]) => (name && uid ? [{ name, uid: Number(uid) }] : []))
}
