/** Can this process answer requests? */
import { sql } from 'kysely'
import { DatabaseUnavailable, type Db } from '../db/connection.ts'
import { Refusal } from '../kernel/errors.ts'

/** 503 while the database does not answer; in the form that a ready instance answers in. */
export async function assertReady(db: Db): Promise<void> {
  try {
    await sql`select 1`.execute(db)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    throw new Refusal('unavailable', { status: 'failed', db_check: [{ status: 'failed', message: 'the database does not answer' }] })
  }
}
