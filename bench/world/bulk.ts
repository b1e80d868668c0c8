/** Loads very many rows in one statement, by SQL on the server's side. */
import type pg from 'pg'
import type { Database } from '../../src/platform/db/connection.ts'

/**
 * Runs `work` in one transaction in which the indexes of `tables` that no constraint needs are away, and neither
 * triggers run nor foreign keys are looked after (`work` knows what it writes); then gathers statistics. Needs a
 * superuser, as the embedded database has one.
 */
export async function inBulk({ pool }: Database, tables: readonly string[], work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query("set maintenance_work_mem = '256MB'")
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    const { rows } = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
         from pg_index where indrelid = any($1::regclass[]) and not indisunique order by indexrelid`,
      [tables],
    )
    for (const { name } of rows) await client.query(`drop index ${name}`)
    await work(client)
    for (const { definition } of rows) await client.query(definition)
    await client.query('commit')
    await client.query('vacuum (analyze)')
  } finally {
    // Not to be used again with these settings.
    client.release(true)
  }
}
