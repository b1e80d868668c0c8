/**
 * Who is alive, so that a job interrupted by the death of its process runs again within seconds; the queue library itself waits four hours.
 *
 * Each worker holds an advisory lock named after the mark it leaves on the jobs it takes. The server frees the lock when the process dies, and
 * every worker looks now and then for jobs whose mark nobody holds.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/connection.ts'
import type { Log } from '../db/log.ts'
import type { PoolClient } from '../db/pool.ts'

/** First half of the locks' numbers, to keep them apart from other advisory locks; any number that is always the same. */
const lockClass = 1_229_867_348

/** How often to look for jobs of the dead, in milliseconds. */
const period = 5_000

/** A mark younger than this, in seconds, may belong to a worker whose lock is on its way. */
const grace = 2

export type Lease = { release(): Promise<void> }

/** Holds the lock of a mark until released, and frees the jobs of the dead meanwhile. */
export function holdLease(database: Database, mark: string, log: Log): Lease {
  const released = new AbortController()
  const ended = keep(database, mark, log, released.signal)
  return {
    release: () => {
      released.abort()
      return ended
    },
  }
}

/** Holds the lock on a connection of its own, taking another one when it breaks. */
async function keep({ pool }: Database, mark: string, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let client: PoolClient | undefined
    try {
      client = await pool.connect()
      await client.query('select pg_advisory_lock($1, hashtext($2))', [lockClass, mark])
      while (!signal.aborted) {
        await freeJobsOfTheDead(client, log)
        await pause(period, signal)
      }
    } catch (error) {
      log.warn({ err: error }, 'the lease of the worker was lost')
      await pause(1_000, signal)
    } finally {
      // Closing the connection frees the lock.
      client?.release(true)
    }
  }
}

/** Waits; ends early when the signal is given. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal, ref: false }).catch(error => {
    if (!signal.aborted) throw error
  })
}

async function freeJobsOfTheDead(client: PoolClient, log: Log): Promise<void> {
  const { rows } = await client.query<{ mark: string }>(
    `with dead as (
       select distinct locked_by as mark from graphile_worker.jobs
       where locked_at < now() - make_interval(secs => $2) and not exists (
         select from pg_locks
         where locktype = 'advisory' and classid = $1 and objid = (hashtext(locked_by)::bigint & 4294967295)::oid and granted
           and database = (select oid from pg_database where datname = current_database()))
     ), freed as (
       select graphile_worker.force_unlock_workers(array_agg(mark)) from dead having count(*) > 0
     )
     select mark from dead, freed`,
    [lockClass, grace],
  )
  if (rows.length > 0) log.warn({ workers: rows.map(row => row.mark) }, 'jobs of workers that died will run again')
}
