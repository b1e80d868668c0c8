/**
 * Who is alive, so that work interrupted by the death of its process is taken up within seconds; the queue library itself waits four hours.
 *
 * Each worker holds an advisory lock named after the mark it leaves on the jobs it takes, and each process one named after the mark that it leaves
 * on the moves of references it begins. The database frees the lock when the process dies. Every worker looks now and then for jobs whose mark
 * nobody holds; moves are looked after by their reconciler.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Db } from '../db/connection.ts'
import type { Log } from '../db/log.ts'
import type { PoolClient } from '../db/pool.ts'

/** First half of the locks' numbers, to keep them apart from other advisory locks; any number that is always the same. */
const lockClass = 1_229_867_348

/** How often to look for jobs of the dead, in milliseconds. */
const period = 5_000

/** A mark younger than this, in seconds, may belong to a worker whose lock is on its way. */
const grace = 2

/** After a start of the database processes have their locks again within this time, in seconds. */
const RETURN = 10

export type Lease = { release(): Promise<void> }

/** What the holder of a lock does with its connection now and then. */
type Turn = (client: PoolClient) => Promise<void>

/** The marks of processes, as long as they hold the locks. */
const marks = new WeakMap<Db, string>()

/** Holds the lock of a mark until released, and frees the jobs of the dead meanwhile. */
export const holdLease = (database: Database, mark: string, log: Log): Lease =>
  hold(signal => keep(database, mark, log, signal, client => freeJobsOfTheDead(client, log)))

/** Shows other processes until released that this one is alive. Its mark is `processMark`. */
export function showPresence(database: Database, log: Log): Lease {
  const { db } = database
  const mark = `process ${randomUUID()}`
  return hold(async signal => {
    await keep(database, mark, log, signal, async client => {
      // It fails where the connection, and the lock with it, is lost.
      await client.query('select')
      marks.set(db, mark)
    })
    marks.delete(db)
  })
}

/** The mark of this process on a database; undefined where it has not shown its presence yet, or shows none. */
export const processMark = (db: Db): string | undefined => marks.get(db)

/**
 * Condition: a process left this mark, and is gone. False for null, and just after a start of the database, when processes that live have not taken
 * their locks again.
 */
export const isGone = (mark: RawBuilder<string | null>): RawBuilder<boolean> => sql<boolean>`(
  ${mark} is not null and pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => ${RETURN}) and not exists (
    select from pg_locks
     where locktype = 'advisory' and classid = ${sql.lit(lockClass)} and objid = (hashtext(${mark})::bigint & 4294967295)::oid and granted
       and database = (select oid from pg_database where datname = current_database())))`

function hold(work: (signal: AbortSignal) => Promise<void>): Lease {
  const released = new AbortController()
  const ended = work(released.signal)
  return {
    release: () => {
      released.abort()
      return ended
    },
  }
}

/** Holds the lock on a connection of its own, taking another one when it breaks. */
async function keep({ pool }: Database, mark: string, log: Log, signal: AbortSignal, turn: Turn): Promise<void> {
  while (!signal.aborted) {
    let client: PoolClient | undefined
    try {
      client = await pool.connect()
      await client.query('select pg_advisory_lock($1, hashtext($2))', [lockClass, mark])
      while (!signal.aborted) {
        await turn(client)
        await pause(period, signal)
      }
    } catch (error) {
      log.warn({ err: error }, 'a lease was lost')
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
