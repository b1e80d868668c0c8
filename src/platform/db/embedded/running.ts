/** The server that another Ingot runs: programs that work on the same data for a moment share it. */
import { join } from 'node:path'
import { databaseName, majorVersion } from './cluster.ts'
import { answers, ownerSocket, readPidFile } from './pidfile.ts'

/** The connection string of a server with this socket directory. */
export const urlOf = (socketDir: string): string => `postgres://${databaseName}@/${databaseName}?host=${encodeURIComponent(socketDir)}`

/** The connection string of the server that a living Ingot runs on this data directory; undefined when there is none. */
export async function runningServerUrl(dataDir: string): Promise<string | undefined> {
  const file = await readPidFile(join(dataDir, 'postgresql', majorVersion))
  if (file?.status !== 'ready' || !(await answers(ownerSocket(file.socketDir)))) return undefined
  return urlOf(file.socketDir)
}
