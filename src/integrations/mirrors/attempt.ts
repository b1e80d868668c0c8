/** One update of a mirror, in either direction: its state before and after, and why it failed, in words. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { RemoteUnreadable } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { next } from '../../platform/kernel/declaration/machine.ts'
import { HostUnresolved, OutboundRefused } from '../../platform/outbound/addresses.ts'
import { type MirrorStatus, mirrorMachine, verdictOn } from './states.ts'

/** Where the states of mirrors are kept. */
export type MirrorTable = 'remote_mirrors' | 'pull_mirrors'

/** Bounds of one update. */
export interface UpdateLimits {
  /** Milliseconds that git may take for each of its steps. */
  readonly timeoutMs: number
  /** Milliseconds for asking a remote that failed why it did. */
  readonly askMs: number
}

export const updateLimits: UpdateLimits = { timeoutMs: 30 * 60_000, askMs: 10_000 }

/**
 * How many updates run at the same time: jobs of one queue run one after the other. They wait for other servers most of the time, and the other jobs of
 * a process must not wait for them.
 */
const LANES = 2

/** The queue of a mirror's updates. */
export const laneOf = (id: number): string => `mirrors ${id % LANES}`

/** Why a mirror could not be updated although the remote was reached: what it refused, or what was left as it is. */
export class UpdateRefused extends Error {}

/** What is known of an update that has ended; `pause` in minutes until the next attempt. */
export type Ended = { readonly failed: false } | { readonly failed: true; readonly pause: number | undefined }

/**
 * Runs an update and records how it ended. Undefined if the mirror is gone.
 * @throws what `update` throws beside the known refusals; it is recorded as a failure
 */
export async function attemptUpdate(
  { database: { db }, now, log }: Deps,
  table: MirrorTable,
  id: number,
  update: () => Promise<void>,
): Promise<Ended | undefined> {
  const started = await transact(db, tx => enter(tx, table, id, 'start', { last_update_started_at: now() }))
  if (!started) return undefined
  try {
    await update()
  } catch (error) {
    const isKnown = error instanceof RemoteUnreadable || error instanceof OutboundRefused || error instanceof UpdateRefused
    // A name may resolve later, a remote come back; an address that is not allowed stays so.
    const mayPass = !(error instanceof OutboundRefused) || error instanceof HostUnresolved
    const failures = started.failures + 1
    const { event, pause } = verdictOn(failures, mayPass && isKnown)
    const last_error = isKnown ? error.message : 'The update ended with an error of the server; its log has more'
    log.info({ table, mirror: id, err: error }, 'a mirror was not updated')
    await transact(db, tx => enter(tx, table, id, event, { last_update_at: now(), last_error, failures }))
    if (!isKnown) throw error
    return { failed: true, pause }
  }
  const at = now()
  await transact(db, tx =>
    enter(tx, table, id, 'finish', { last_update_at: at, last_successful_update_at: at, last_error: null, failures: 0 }),
  )
  return { failed: false }
}

/** Moves a mirror to the state after an event, and sets what else is given. Undefined if it is gone, or cannot move. */
async function enter(
  db: Db,
  table: MirrorTable,
  id: number,
  event: 'start' | 'finish' | 'retry' | 'fail',
  columns: Readonly<Record<string, Date | string | number | null>>,
): Promise<{ readonly failures: number } | undefined> {
  const { rows } = await sql<{ update_status: MirrorStatus; failures: number }>`
    select update_status, failures from ${sql.table(table)} where id = ${id} for update`.execute(db)
  const [row] = rows
  const update_status = row && next(mirrorMachine, row.update_status, event)
  if (!row || update_status === undefined) return undefined
  const given = Object.entries<Date | string | number | null>({ ...columns, update_status })
  const sets = given.map(([name, value]) => sql`${sql.ref(name)} = ${value instanceof Date ? value.toISOString() : value}`)
  await sql`update ${sql.table(table)} set ${sql.join(sets)} where id = ${id}`.execute(db)
  return { failures: row.failures }
}
