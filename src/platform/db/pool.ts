/** Pools of connections that survive the loss of any of them, and that are really closed when they say so. */
import pg from 'pg'
import type { Log } from './log.ts'

export type { PoolClient } from 'pg'

export type Pool = {
  readonly pool: pg.Pool
  /** Whether the connection broke or was ended by the server. */
  isLost(client: pg.PoolClient): boolean
  /** Resolves when every connection is closed: a server stopped afterwards has nobody to disconnect. */
  close(): Promise<void>
}

export function openPool(config: pg.PoolConfig, log: Log): Pool {
  const pool = new pg.Pool(config)
  const open = new Set<pg.PoolClient>()
  const lost = new WeakSet<pg.PoolClient>()
  pool.on('connect', client => {
    open.add(client)
    // Without a listener, a connection lost while in use would end the process.
    client.on('error', error => {
      lost.add(client)
      log.warn({ err: error }, 'a database connection was lost')
    })
    client.once('end', () => open.delete(client))
  })
  // The pool repeats what its idle connections report.
  pool.on('error', error => log.debug({ err: error }, 'an idle database connection was lost'))

  async function close(): Promise<void> {
    // The pool's own end comes before its connections' ends.
    const ends = [...open].map(client => new Promise<void>(resolve => client.once('end', resolve)))
    await pool.end()
    await Promise.all(ends)
  }
  return { pool, isLost: client => lost.has(client), close }
}
