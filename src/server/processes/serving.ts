/** How a process serves HTTP and ends it, alone or beside others. */
import cluster from 'node:cluster'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { prepareDrain } from '../../platform/kernel/connections/drain.ts'
import { closeListeners, connectionsEnded, endIdleConnections, listenFurther } from '../../platform/kernel/connections/listeners.ts'
import { listenError } from '../setup/before_start.ts'

/** How long a connection that a client keeps may wait for a last request once Ingot is stopping, in milliseconds. */
const LAST_REQUESTS = 2_000

/** How long running requests may take once Ingot is stopping, in milliseconds. */
export const PATIENCE = 10_000

/**
 * Connections that the system keeps until they are accepted: of more that come in a moment, those beyond would try again after seconds, in place of being
 * refused. Linux takes no more than `net.core.somaxconn`, which is the same by default.
 */
const BACKLOG = 4096

/**
 * Listens as the settings say. Beside other processes the first one accepts for all.
 * @returns the address: `http://127.0.0.1:8080`
 */
export async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    const url = await app.listen({ host, port, backlog: BACKLOG })
    // The server is up meanwhile.
    if (!cluster.isWorker)
      void listenFurther(app.server, BACKLOG).catch(error => app.log.warn(error, 'a single listener accepts connections'))
    return url
  } catch (error) {
    throw listenError(error, { host, port, setting: 'INGOT_PORT' })
  }
}

/** The last requests of those who keep connections are answered. Nobody has another server to go to in place of an ephemeral one. */
export function drainAtEnd(app: FastifyInstance): void {
  const drain = prepareDrain(app.server)
  app.addHook('preClose', async () => {
    await drain({ quiet: LAST_REQUESTS, longest: PATIENCE })
    endIdleConnections(app.server)
  })
  app.addHook('onClose', () => connectionsEnded(app.server))
}

/** Running requests are answered, and those who keep connections wait for nothing. */
export function closeAtEnd(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    // It ends with the last connection, for which the end of the application waits.
    void closeListeners(app.server)
    endIdleConnections(app.server)
  })
  app.addHook('onClose', () => connectionsEnded(app.server))
}

/** Accepts no more requests, waits for the running ones, and aborts those that take too long. */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), PATIENCE)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}
