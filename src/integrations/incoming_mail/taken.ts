/** Which mails were taken: each once, whatever its service or server sends again. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { isTimeout } from '../../platform/db/errors.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'

/** Days for which a mail is known. */
const REMEMBERED = 60

/** What a mail is known by. The key that it was sent to is a part of it: nobody takes the id of a mail of others before it comes. */
export const markOf = (key: string, messageId: string | undefined, sha256: string): string =>
  createHash('sha256')
    .update(`${key}\n${messageId ?? sha256}`)
    .digest('base64url')

/** Was the mail taken before? */
export async function isTaken(db: Db, mark: string): Promise<boolean> {
  return (await db.selectFrom('incoming_mails').select('key').where('key', '=', mark).executeTakeFirst()) !== undefined
}

/** Marks a mail as taken, in the transaction of what follows from it; false if it was before. Waits for another one that is at it. */
export async function take(db: Db, mark: string, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('incoming_mails')
    .values({ key: mark, created_at: now })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Does `work` in a transaction, unless the mail was taken before (`claim`). */
export const once = (ctx: Context, claim: (ctx: Context) => Promise<boolean>, work: (ctx: Context) => Promise<void>): Promise<boolean> =>
  transact(ctx.db, async db => {
    const tx = { ...ctx, db }
    if (!(await claim(tx))) return false
    await work(tx)
    return true
  })

/**
 * Does work that is too long for a transaction, while no process does other work under the same name. It keeps a connection meanwhile: callers bound how
 * many there are. The lock ends with the process.
 * @param db the pool, not a transaction
 * @throws Refusal 503 where the other work takes longer than a statement may
 */
export const alone = <T>(db: Db, name: string, work: () => Promise<T>): Promise<T> =>
  db.connection().execute(async own => {
    const key = sql`hashtextextended(${name}, 0)`
    await sql`select pg_advisory_lock(${key})`.execute(own).catch(error => {
      throw isTimeout(error)
        ? new Refusal('unavailable', { message: '503 Service Unavailable - another process is at a mail like this' })
        : error
    })
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(own)
    }
  })

/** Forgets mails of long ago. */
export async function sweepIncoming({ database, now }: Pick<Deps, 'database' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - REMEMBERED * 24 * 60 * 60 * 1000)
  await database.db.deleteFrom('incoming_mails').where('created_at', '<', before.toISOString()).execute()
}
