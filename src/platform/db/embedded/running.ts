/** The server that another Ingot runs: programs that work on the same data for a moment share it. */
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { databaseName, majorVersion } from './cluster.ts'
import { answers, isOfCluster, isPostmaster, livingOwner, ownerSocket, type PidFile, readPidFile } from './pidfile.ts'

/** How long a server that its Ingot starts again is waited for, in milliseconds: the recovery after a crash. */
const PATIENCE = 30_000

/** The connection string of a server with this socket directory. */
export const urlOf = (socketDir: string): string => `postgres://${databaseName}@/${databaseName}?host=${encodeURIComponent(socketDir)}`

/**
 * The connection string of the server that a living Ingot runs on this data directory; undefined when there is none. A server that has died, and
 * that its Ingot starts again, is waited for. The one that runs on the original of a copied directory is not that of the copy.
 */
export async function runningServerUrl(dataDir: string): Promise<string | undefined> {
  const cluster = await realpath(join(dataDir, 'postgresql', majorVersion)).catch(() => undefined)
  if (cluster === undefined) return undefined
  for (const deadline = Date.now() + PATIENCE; ; await delay(20)) {
    const isOwned = (await livingOwner(cluster)) !== undefined
    const file = await readPidFile(cluster)
    const runs = file !== undefined && (await isPostmaster(file.pid, cluster))
    if (!isOwned && !(await isStarting(file, runs, cluster))) return undefined
    if (runs && file.status === 'ready' && (await answers(ownerSocket(file.socketDir)))) return urlOf(file.socketDir)
    if (Date.now() > deadline) return undefined
  }
}

/** Does the file say that a living Ingot starts its first server, or one again? */
async function isStarting(file: PidFile | undefined, runs: boolean, cluster: string): Promise<boolean> {
  if (!file) return false
  // Whose a server is that has just begun, its file does not say yet.
  if (file.socketDir === '') return runs
  return (runs || (await isOfCluster(file, cluster))) && answers(ownerSocket(file.socketDir))
}
