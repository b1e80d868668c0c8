/**
 * All rows of a database, out of it and into an empty one, by PostgreSQL's COPY in its text form, which every version reads. The embedded
 * server comes without `pg_dump`; the schema is made by the migrations in place of a dump of it.
 */
import type { Readable, Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import type { Db } from '../connection.ts'

/** A table with the columns that are stored: generated ones are computed again. */
export interface CopiedTable {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
}

/** A sequence and its last value; null where it was not used. */
export interface CopiedSequence {
  readonly schema: string
  readonly name: string
  readonly last_value: string | null
}

/** Ingot's tables and those of the queue. The lists of migrations are written by the migrations themselves. */
const ownTables = `(
  select c.oid, n.nspname, c.relname
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname not in ('kysely_migration', 'kysely_migration_lock') and (n.nspname, c.relname) <> ('graphile_worker', 'migrations')
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
) as own`

/** Every table with rows to be copied, by name. */
export async function copiedTables(db: Db): Promise<CopiedTable[]> {
  const { rows } = await sql<CopiedTable>`
    select own.nspname as schema, own.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from ${sql.raw(ownTables)} join pg_attribute a on a.attrelid = own.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by own.nspname, own.relname order by own.nspname collate "C", own.relname collate "C"`.execute(db)
  return rows
}

/** A table that has other columns in another database, or is not there; undefined where rows of all of them can be copied. */
export async function unlikeTable(tables: readonly CopiedTable[], other: Db): Promise<CopiedTable | undefined> {
  const there = new Map((await copiedTables(other)).map(table => [`${table.schema}.${table.name}`, table.columns]))
  return tables.find(
    ({ schema, name, columns }) => [...columns].sort().join() !== [...(there.get(`${schema}.${name}`) ?? [])].sort().join(),
  )
}

/** Every sequence. Their values belong to no snapshot: they are those of now, which are never below those of the rows in one. */
export async function copiedSequences(db: Db): Promise<CopiedSequence[]> {
  const { rows } = await sql<CopiedSequence>`
    select schemaname::text as schema, sequencename::text as name, last_value::text
      from pg_sequences where schemaname in ('public', 'graphile_worker') order by 1, 2`.execute(db)
  return rows
}

/** The number of the newest migration of the queue's own tables. */
export async function queueLevel(db: Db): Promise<number> {
  const { rows } = await sql<{ level: number }>`select max(id)::int as level from graphile_worker.migrations`.execute(db)
  return rows[0]?.level ?? 0
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const nameOf = ({ schema, name }: Pick<CopiedTable, 'schema' | 'name'>): string => `${quoted(schema)}.${quoted(name)}`
const columnsOf = ({ columns }: CopiedTable): string => columns.map(quoted).join(', ')

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'ingot backup',
    keepAlive: true,
    // Tables without a key are read from their beginning.
    options:
      '-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c statement_timeout=0 -c idle_in_transaction_session_timeout=0 ' +
      '-c synchronize_seqscans=off',
  })
  // Without a listener a lost connection would end the process; the statement that runs fails by it.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Asks for how long, in milliseconds, and how often a commit that goes on is asked about. */
const asking = { forMs: 30_000, everyMs: 200 } as const

/** Was the transaction committed? Asked by another connection. Undefined where it still goes on after half a minute. */
async function isCommitted(url: string, transaction: string): Promise<boolean | undefined> {
  const client = await connected(url)
  try {
    for (let left = asking.forMs; left > 0; left -= asking.everyMs) {
      const { rows } = await client.query<{ status: string }>('select pg_xact_status($1::xid8) as status', [transaction])
      if (rows[0]?.status !== 'in progress') return rows[0]?.status === 'committed'
      await setTimeout(asking.everyMs)
    }
    return undefined
  } finally {
    await client.end()
  }
}

/** The columns of the primary key of each table that has one, by its name. */
async function primaryKeys(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; columns: string }>(`
    select n.nspname || '.' || t.relname as name, string_agg(quote_ident(a.attname), ', ' order by key.place) as columns
      from pg_index i join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
     cross join unnest(i.indkey::int2[]) with ordinality as key (number, place)
      join pg_attribute a on a.attrelid = t.oid and a.attnum = key.number
     where i.indisprimary and n.nspname in ('public', 'graphile_worker') group by 1`)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** Reads tables as one snapshot shows them, in the order of their primary keys: backups find the same rows in the same places. */
export interface RowReader {
  read(table: CopiedTable): Readable
  close(): Promise<void>
}

/** Opens a reader of the snapshot of a transaction, which must go on as long as it reads. @param url of the same database */
export async function openRowReader(url: string, then: Db): Promise<RowReader> {
  const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(then)
  const client = await connected(url)
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set transaction snapshot '${rows[0]!.snapshot}'`)
    const keys = await primaryKeys(client)
    const orderOf = ({ schema, name }: CopiedTable): string =>
      keys.has(`${schema}.${name}`) ? ` order by ${keys.get(`${schema}.${name}`)}` : ''
    return {
      read: table => client.query(to(`copy (select ${columnsOf(table)} from ${nameOf(table)}${orderOf(table)}) to stdout`)),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

/** Writes all tables of a database in one transaction: until `finish` nothing of it is there. */
export interface RowWriter {
  write(table: CopiedTable): Writable
  /**
   * Checks the foreign keys of all rows, and commits.
   * @throws CommitUnanswered where the database may have committed; every other error: it has not
   */
  finish(sequences: readonly CopiedSequence[]): Promise<void>
  /** Gathers the statistics of what was committed: without them statements are slow at first. */
  analyze(): Promise<void>
  /** Ends the connection; without `finish` nothing is left of what was written. */
  close(): Promise<void>
}

/** The connection ended while the database was committing, and it does not say whether it has done so. */
export class CommitUnanswered extends Error {
  override name = 'CommitUnanswered'
}

/** Commits, and finds out whether it was done where the connection ends meanwhile. @throws CommitUnanswered */
async function commit(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id')
  await client.query('commit').catch(async cause => {
    const done = await isCommitted(url, rows[0]?.id ?? '').catch(() => undefined)
    if (done === undefined) throw new CommitUnanswered('the database does not say whether it has the rows', { cause })
    if (!done) throw cause
  })
}

interface ForeignKey {
  readonly on: string
  readonly name: string
  readonly definition: string
}

/**
 * Empties the tables of a migrated database and lets them be written in any order: triggers are off, and foreign keys are taken away until
 * the end, where they are made again over all rows. Only the owner of the tables may do it; nothing needs a superuser.
 */
export async function openRowWriter(url: string): Promise<RowWriter> {
  const client = await connected(url)
  try {
    await client.query('begin')
    const { rows: tables } = await client.query<{ name: string; has_triggers: boolean }>(`
      select format('%I.%I', own.nspname, own.relname) as name,
             exists (select from pg_trigger t where t.tgrelid = own.oid and not t.tgisinternal) as has_triggers
        from ${ownTables}`)
    const { rows: keys } = await client.query<ForeignKey>(`
      select format('%I.%I', n.nspname, t.relname) as on, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
        from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
       where c.contype = 'f' and c.conparentid = 0 and n.nspname in ('public', 'graphile_worker') order by 1, 2`)
    const triggered = tables.filter(table => table.has_triggers)
    for (const key of keys) await client.query(`alter table ${key.on} drop constraint ${key.name}`)
    for (const { name } of triggered) await client.query(`alter table ${name} disable trigger user`)
    await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)

    return {
      write: table => client.query(from(`copy ${nameOf(table)} (${columnsOf(table)}) from stdin`)),
      async finish(sequences) {
        for (const { name } of triggered) await client.query(`alter table ${name} enable trigger user`)
        for (const key of keys) await client.query(`alter table ${key.on} add constraint ${key.name} ${key.definition}`)
        for (const sequence of sequences)
          if (sequence.last_value !== null) await client.query('select setval($1::regclass, $2)', [nameOf(sequence), sequence.last_value])
        // Who worked on these jobs does not work on them here: without this they would wait for hours until their locks expire.
        await client.query('update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null')
        await client.query('update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null')
        await commit(client, url)
      },
      analyze: async () => void (await client.query('analyze')),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}
