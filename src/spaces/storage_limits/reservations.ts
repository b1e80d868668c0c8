/**
 * Room that is reserved in a project before something is stored there, and given back once it is stored and measured, or will not be. Rows, so that
 * all processes of the instance share what room there is.
 */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { rootDb } from '../../platform/db/handles.ts'
import { transactUnflushed } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import type { Stored } from '../projects/repository/store.ts'
import { storedIn } from './measure.ts'
import { storageLimitsOf } from './queries.ts'

type Means = Pick<Deps, 'storages' | 'database' | 'log'>

/** Milliseconds for which a reservation holds unless it is renewed, and after which it is renewed. */
const HOLD = { expires: 120_000, renewed: 30_000 }

/** What grows takes its room in steps of at least so many bytes, and of this part of the limit: each step measures the project. */
const STEP = { bytes: 64 * 1024, partOfLimit: 64 }

/** Bytes of a limited project that files of users who are not its members may have in all: a tenth. */
export const shareOfOutsiders = (limit: number): number => Math.floor(limit / 10)

/** One reservation: what it holds, others do not get. To be released, whatever happens. */
export class Reservation {
  readonly #means: Means
  readonly #project: Stored
  #id: number | undefined
  #granted = 0
  #timer: NodeJS.Timeout | undefined

  /** Is it for a file of a user who is no member of the project? */
  readonly isOfOutsider: boolean

  /** Holds nothing yet. */
  constructor(means: Means, project: Stored, { ofOutsider = false }: { readonly ofOutsider?: boolean } = {}) {
    this.#means = means
    this.#project = project
    this.isOfOutsider = ofOutsider
  }

  /** Has it room for so many bytes in all? Takes more where it has not. Where there is none to be had, it holds nothing any more. */
  async holds(bytes: number): Promise<boolean> {
    if (bytes <= this.#granted) return true
    const granted = await this.#take(limit => {
      const step = Math.max(STEP.bytes, Math.ceil(limit / STEP.partOfLimit))
      return [Math.ceil(bytes / step) * step, bytes]
    })
    return granted !== undefined
  }

  /** The same without steps, for what is known to be no more. */
  async holdsExactly(bytes: number): Promise<boolean> {
    return (await this.#take(() => [bytes])) !== undefined
  }

  /** Takes all the room that is left, for what tells its size while it comes; bytes, `Infinity` where there is no limit. */
  async holdRest(): Promise<number> {
    return (await this.#take((_, left) => [left])) ?? 0
  }

  /** Gives the room back. In the transaction that stores rows which are counted themselves, where `db` is one. */
  async release(db: Db = this.#means.database.db): Promise<void> {
    clearInterval(this.#timer)
    if (this.#id !== undefined) await db.deleteFrom('storage_reservations').where('id', '=', this.#id).execute()
  }

  /**
   * Takes the first of these numbers of bytes that there is room for.
   * @returns the bytes; undefined where there is no room for any of them
   */
  async #take(candidates: (limit: number, left: number) => readonly number[]): Promise<number | undefined> {
    const { database } = this.#means
    const { granted, id } = await transactUnflushed(rootDb(database.db), async db => {
      const { project: limit } = await storageLimitsOf(db, this.#project.id)
      if (limit === undefined) return { granted: Number.POSITIVE_INFINITY, id: this.#id }
      // One after the other. What others have reserved is read first: what they store meanwhile is then counted twice rather than not at all.
      await sql`select from project_statistics where project_id = ${this.#project.id} for no key update`.execute(db)
      const reserved = await reservedIn(db, this.#project.id, this.#id)
      const share = this.isOfOutsider ? shareOfOutsiders(limit) - (await bytesOfOutsiders(db, this.#project.id, this.#id)) : limit
      const left = Math.max(0, Math.min(share, limit - reserved - (await storedIn(this.#means, db, this.#project))))
      const granted = candidates(limit, left).find(bytes => bytes <= left)
      return { granted, id: await keep(db, { project_id: this.#project.id, of_outsider: this.isOfOutsider }, this.#id, granted ?? 0) }
    })
    this.#granted = granted ?? 0
    this.#id = id
    if (id !== undefined) this.#timer ??= setInterval(() => void this.#renew(), HOLD.renewed).unref()
    return granted
  }

  async #renew(): Promise<void> {
    try {
      await this.#means.database.db
        .updateTable('storage_reservations')
        .set({ expires_at: expiry })
        .where('id', '=', this.#id as number)
        .execute()
    } catch (error) {
      this.#means.log.warn({ err: error, project: this.#project.id }, 'a reservation of storage could not be renewed')
    }
  }
}

const expiry = sql<string>`clock_timestamp() + make_interval(secs => ${HOLD.expires / 1_000})`

/** Bytes that others have reserved in a project. What has expired goes. */
async function reservedIn(db: Db, projectId: number, own: number | undefined): Promise<number> {
  await db
    .deleteFrom('storage_reservations')
    .where('project_id', '=', projectId)
    .where('expires_at', '<', sql<string>`clock_timestamp()`)
    .execute()
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0) as bytes from storage_reservations
     where project_id = ${projectId} and id is distinct from ${own ?? null}::bigint`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** Bytes that users who are not members of a project have stored there, or have reserved besides `own`. One statement. */
async function bytesOfOutsiders(db: Db, projectId: number, own: number | undefined): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce((select sum(o.size) from uploads u join stored_objects o on o.id = u.object_id
                      where u.project_id = ${projectId} and u.of_outsider), 0)
         + coalesce((select sum(bytes) from storage_reservations
                      where project_id = ${projectId} and of_outsider and id is distinct from ${own ?? null}::bigint), 0) as bytes`.execute(
    db,
  )
  return Number(rows[0]?.bytes ?? 0)
}

/** Makes a reservation, or changes what it holds; its id. */
async function keep(
  db: Db,
  place: { readonly project_id: number; readonly of_outsider: boolean },
  id: number | undefined,
  bytes: number,
): Promise<number> {
  const held = { bytes, expires_at: expiry }
  if (id !== undefined) {
    const changed = await db.updateTable('storage_reservations').set(held).where('id', '=', id).returning('id').executeTakeFirst()
    if (changed) return changed.id
  }
  const made = await db
    .insertInto('storage_reservations')
    .values({ ...place, ...held })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}
