/**
 * `postmaster.pid`, the file with which PostgreSQL guards a cluster against a second server, and what it says about the server and about
 * the Ingot that owns it. It is gone for a moment while a server that has died is started again; so the Ingot keeps a file of its own beside it.
 */
import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Log } from '../log.ts'
import { EmbeddedError } from './error.ts'

/**
 * A running server as described by its file. The folder of its cluster is that of the original in a copied file. The folder of sockets is empty
 * until the server has made its socket.
 */
export type PidFile = { pid: number; cluster: string; socketDir: string; status: string }

/** Socket in the server's socket directory on which the owning Ingot listens. If it does not answer, that Ingot is dead. */
export const ownerSocket = (socketDir: string): string => join(socketDir, 'owner')

/** Names the Ingot that keeps a server running on a cluster: the folder of the cluster, as in `postmaster.pid`, and that of the sockets. */
const ownerFile = (cluster: string): string => join(dirname(cluster), 'owner')

/** Records that the Ingot with these sockets keeps a server running on the cluster. It has one that runs: only one Ingot gets so far. */
export async function recordOwner(cluster: string, socketDir: string): Promise<void> {
  const partial = `${ownerFile(cluster)}.new`
  await writeFile(partial, `${cluster}\n${socketDir}\n`, { mode: 0o600 })
  await rename(partial, ownerFile(cluster))
}

/** Forgets the owner of a cluster, which stops its server next. */
export const forgetOwner = (cluster: string): Promise<void> => rm(ownerFile(cluster), { force: true })

/** The socket directory of the living Ingot that keeps a server running on the cluster, be the server alive or not; undefined when there is none. */
export async function livingOwner(cluster: string): Promise<string | undefined> {
  const content = await readFile(ownerFile(cluster), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const [of, socketDir] = content.split('\n')
  // A copy of the folder names the cluster of the original.
  if (of !== cluster || !socketDir) return undefined
  return (await answers(ownerSocket(socketDir))) ? socketDir : undefined
}

/** Limit for the shutdown of a server, in milliseconds: a checkpoint of 64 MB on a slow disk. */
const patience = 60_000

/** Reads the file; undefined if there is none or it is not complete yet. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  let content: string
  try {
    content = await readFile(join(cluster, 'postmaster.pid'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  // Lines: pid, data directory, start time, port, socket directory, listen address, shared memory, status.
  const lines = content.split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return { pid, cluster: lines[1] ?? '', socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() }
}

/** Was the file written for this cluster? It was not if it came with a copy of another one. */
export async function isOfCluster(file: PidFile, cluster: string): Promise<boolean> {
  const real = (path: string) => realpath(path).catch(() => path)
  return (await real(file.cluster)) === (await real(cluster))
}

/**
 * Waits until no server runs on the cluster. If the Ingot of a running server was killed, the server gets a signal to stop, in case its
 * guard did not send one.
 * @param ownSocketDir the socket directory of this Ingot, which an earlier server of its own may have used
 * @throws EmbeddedError when a living Ingot owns the server, or the server does not stop
 */
export async function awaitPredecessor(cluster: string, ownSocketDir: string, log: Log): Promise<void> {
  const deadline = Date.now() + patience
  let predecessor: PidFile | undefined
  for (;;) {
    const file = await readPidFile(cluster)
    if (!file || !(await isPostmaster(file.pid, cluster))) {
      const owner = await livingOwner(cluster)
      // Its server has died, and that Ingot starts it again.
      if (owner !== undefined && owner !== ownSocketDir) throw inUse(cluster, file)
      // The pid may belong to another process now, and PostgreSQL would refuse to start while it exists.
      if (file && isAlive(file.pid)) await rm(join(cluster, 'postmaster.pid'), { force: true })
      const socketDir = (file ?? predecessor)?.socketDir
      if (!socketDir || socketDir === ownSocketDir) return
      const isOwned = await answers(ownerSocket(socketDir))
      // Its server has died, and that Ingot starts it again.
      if (isOwned && file && (await isOfCluster(file, cluster))) throw inUse(cluster, file)
      // The file of a copied data directory names the sockets of the original: without them its Ingot would have no database.
      if (isOwned) log.warn({ cluster }, 'the database was copied from an Ingot that runs: writes may be missing')
      else await removeSocketDir(socketDir)
      return
    }
    if (file.socketDir !== ownSocketDir && (await answers(ownerSocket(file.socketDir)))) throw inUse(cluster, file)
    // Whose a server is that has just begun, its file does not say yet.
    if (!predecessor && file.socketDir !== '') {
      log.info({ pid: file.pid }, 'waiting for the database server of an Ingot that was killed')
      signal(file.pid, 'SIGINT')
      predecessor = file
    }
    if (Date.now() > deadline)
      throw new EmbeddedError(`The previous database server (process ${file.pid}) does not stop: end it, then start Ingot again`)
    await delay(20)
  }
}

const inUse = (cluster: string, file: PidFile | undefined): EmbeddedError => {
  const process = file ? `database process ${file.pid}` : 'which starts its server again'
  return new EmbeddedError(`Another Ingot is using the database in ${cluster} (${process}): stop that Ingot, or set another INGOT_DATA_DIR`)
}

/** Sends a signal to a process that may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Does a process with this pid exist? */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Is the process the server of this cluster, and not a later process with the same pid? */
export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`)) === cluster
    const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'comm=', '-p', String(pid)])
    return basename(stdout.trim()) === 'postgres'
  } catch {
    // No such process, or one of another user.
    return false
  }
}

/** Does a process listen on the socket? One that only another user may reach counts: its folder is not ours to remove. */
export function answers(socket: string): Promise<boolean> {
  return new Promise(resolve => {
    const connection = connect(socket)
    connection.once('connect', () => resolve(true)).once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EACCES'))
    connection.once('connect', () => connection.destroy())
  })
}

/** Removes what a killed Ingot left in the temporary directory. The name is checked because it comes from a file. */
async function removeSocketDir(dir: string): Promise<void> {
  if (/^ingot-[A-Za-z0-9]{6}$/.test(basename(dir))) await rm(dir, { recursive: true, force: true })
}
