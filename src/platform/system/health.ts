/** Can this process answer requests? */
import { sql } from 'kysely'
import { DatabaseUnavailable, type Db } from '../db/connection.ts'
import type { Deps } from '../kernel/context.ts'
import { Refusal } from '../kernel/errors.ts'

/** 503 while the server is being stopped or the database does not answer; in the form that a ready instance answers in. */
export async function assertReady(db: Db, { http }: Pick<Deps, 'http'>): Promise<void> {
  if (http.isStopping) throw new Refusal('unavailable', { status: 'failed', message: 'the server is being stopped' })
  try {
    await sql`select 1`.execute(db)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    throw new Refusal('unavailable', { status: 'failed', db_check: [{ status: 'failed', message: 'the database does not answer' }] })
  }
}
