/**
 * The rows of a database as they were at an instant, kept in a schema beside them. What has changed since then is found by the transactions that
 * wrote the rows, so that bringing them back takes statements for changed tables alone, and in those writes what has changed.
 */
import type pg from 'pg'

/** Where the copies are. */
const COPIES = 'ingot_as_made'

/** What the queue knows of itself: the tasks of the program, which stay as they are. */
const LEFT = `('graphile_worker.migrations', 'graphile_worker._private_tasks', 'graphile_worker._private_known_crontabs')`

const TABLES = `
  select format('%I.%I', nspname, relname) as name, pg_class.oid::int as oid,
         (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
           where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
         (select array_agg(quote_ident(attname)) from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
           where indrelid = pg_class.oid and indisprimary) as key
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
   where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema', 'pg_toast', '${COPIES}')
     and format('%I.%I', nspname, relname) not in ${LEFT}
   order by pg_class.oid`

const SEQUENCES = `
  select seqrelid::int as oid, coalesce(pg_sequence_last_value(seqrelid), seqstart)::text as value,
         pg_sequence_last_value(seqrelid) is not null as is_called from pg_sequence order by seqrelid`

const SET_SEQUENCES = `
  select setval(oid::oid::regclass, value::bigint, is_called)
    from unnest($1::int[], $2::text[], $3::boolean[]) as wanted(oid, value, is_called)`

interface Table {
  readonly name: string
  readonly oid: number
  readonly columns: string
  /** Quoted columns of the primary key; null without one. */
  readonly key: readonly string[] | null
}

interface Sequence {
  readonly oid: number
  readonly value: string
  readonly is_called: boolean
}

/** Number of rows and the youngest transaction among those that wrote them, with a space between: a change of a table changes one of them. */
type Signature = string

/** The youngest transaction that wrote rows of a table. */
const youngestIn = (signature: Signature | undefined): string => signature?.split(' ')[1] ?? '0'

export class RowSnapshot {
  /** The same one each time: it remembers the plans. */
  readonly #client: pg.PoolClient
  readonly #tables: readonly Table[]
  readonly #sequences: readonly Sequence[]
  readonly #signatures: Map<string, Signature>

  private constructor(client: pg.PoolClient, tables: readonly Table[], sequences: readonly Sequence[], signatures: Map<string, Signature>) {
    this.#client = client
    this.#tables = tables
    this.#sequences = sequences
    this.#signatures = signatures
  }

  /** Keeps a copy of all rows, and a connection until `close`. Nobody else may write meanwhile. */
  static async take(pool: pg.Pool): Promise<RowSnapshot> {
    const client = await pool.connect()
    // Without the triggers of the tables, which foreign keys are among: nothing follows from what is brought back. Once for all times: with this setting the
    // server forgets its plans, and that of the signatures takes it longer than all else.
    await client.query('set session_replication_role = replica')
    const tables = (await client.query<Table>(TABLES)).rows
    const signatures = await signaturesOf(client, tables, 'ingot_signatures')
    const copies = tables
      .filter(({ name }) => hasRows(signatures.get(name)))
      .map(({ name, oid }) => `create unlogged table ${COPIES}.t${oid} as table ${name}`)
    await client.query(['begin', `create schema ${COPIES}`, ...copies, 'commit'].join(';'))
    return new RowSnapshot(client, tables, (await client.query<Sequence>(SEQUENCES)).rows, signatures)
  }

  /** Brings the rows and the sequences back. Nobody else may write meanwhile. */
  async restore(): Promise<void> {
    const now = await signaturesOf(this.#client, this.#tables, 'ingot_signatures')
    const changed = this.#tables.filter(({ name }) => now.get(name) !== this.#signatures.get(name))
    if (changed.length > 0) await this.#restoreTables(changed)
    await this.#restoreSequences()
  }

  /** Gives the connection back. */
  async close(): Promise<void> {
    await this.#client.query('reset session_replication_role')
    this.#client.release()
  }

  async #restoreTables(changed: readonly Table[]): Promise<void> {
    const steps = changed.flatMap(table => this.#stepsFor(table))
    await this.#client.query(['begin', ...steps, 'commit'].join(';'))
    for (const [name, signature] of await signaturesOf(this.#client, changed)) this.#signatures.set(name, signature)
  }

  /** The statements that bring the rows of a table back: those that were written since go, and those that are missing then come from the copy. */
  #stepsFor({ name, oid, columns, key }: Table): readonly string[] {
    const signature = this.#signatures.get(name)
    if (!hasRows(signature)) return [`delete from ${name}`]
    const insertion = `insert into ${name} (${columns}) overriding system value select ${columns} from ${COPIES}.t${oid} made`
    if (!key) return [`delete from ${name}`, insertion]
    const isSame = key.map(column => `present.${column} = made.${column}`).join(' and ')
    return [
      `delete from ${name} where xmin::text::bigint > ${youngestIn(signature)}`,
      `${insertion} where not exists (select from ${name} present where ${isSame})`,
    ]
  }

  async #restoreSequences(): Promise<void> {
    const { rows } = await this.#client.query<Sequence>({ name: 'ingot_sequences', text: SEQUENCES })
    const now = new Map(rows.map(({ oid, value, is_called }) => [oid, `${value} ${is_called}`]))
    const moved = this.#sequences.filter(({ oid, value, is_called }) => now.get(oid) !== `${value} ${is_called}`)
    if (moved.length === 0) return
    await this.#client.query(SET_SEQUENCES, [
      moved.map(({ oid }) => oid),
      moved.map(({ value }) => value),
      moved.map(each => each.is_called),
    ])
  }
}

const hasRows = (signature: Signature | undefined): boolean => signature !== undefined && !signature.startsWith('0 ')

/** @param name of a statement that is kept, for tables that are always the same */
async function signaturesOf(client: pg.PoolClient, tables: readonly Table[], name?: string): Promise<Map<string, Signature>> {
  const text = tables
    .map(({ name }, index) => `select ${index} as at, count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) as signature from ${name}`)
    .join(' union all ')
  const { rows } = await client.query<{ at: number; signature: Signature }>({ text, ...(name && { name }) })
  return new Map(rows.map(({ at, signature }) => [tables[at]?.name as string, signature]))
}
