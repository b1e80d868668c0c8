/** What a database holds after some requests, in a form that does not depend on the moment at which they came. */
import type pg from 'pg'

/** Ids that are given from here on belong to new rows, whichever of them was first. */
const NEW_IDS = 1_000_000

/** Number and content of the rows of each table, by its name. */
export type Outcome = ReadonlyMap<string, string>

/** Columns that differ between two runs of the same requests: times, what is made by chance, and sizes of repositories, which compress it. */
const VOLATILE =
  /(digest|token|secret|encrypted|salt|uuid|nonce|password|fingerprint|request_id|discussion_id|^(repository|wiki|snippets|storage)_size$)/

const COLUMNS = `
  select format('%I.%I', nspname, relname) as name, quote_ident(attname) as column, format_type(atttypid, null) as type
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
   where relkind = 'r' and nspname = 'public' order by pg_class.oid, attnum`

/** Makes ids of new rows differ from those of the rows that are there. To be called before the rows are kept. */
export async function raiseIds(client: pg.Pool): Promise<void> {
  await client.query(`select setval(seqrelid::regclass, ${NEW_IDS}) from pg_sequence join pg_class on pg_class.oid = seqrelid
                       where relnamespace = 'public'::regnamespace`)
}

/** Reads outcomes of a database. */
export class OutcomeReader {
  readonly #client: pg.Pool
  readonly #tables: readonly string[]
  readonly #text: string

  private constructor(client: pg.Pool, tables: readonly string[], text: string) {
    this.#client = client
    this.#tables = tables
    this.#text = text
  }

  static async on(client: pg.Pool): Promise<OutcomeReader> {
    const { rows } = await client.query<{ name: string; column: string; type: string }>(COLUMNS)
    const tables = [...Map.groupBy(rows, ({ name }) => name)]
    const text = tables
      .map(([name, columns], at) => {
        const stable = columns.filter(({ column, type }) => !/^(timestamp|bytea|uuid|json|tsvector)/.test(type) && !VOLATILE.test(column))
        const values = stable.map(({ column, type }) =>
          /^(integer|bigint)$/.test(type) ? `case when ${column} > ${NEW_IDS} then -1 else ${column} end` : column,
        )
        const content = values.length === 0 ? `''` : `md5(row(${values.join(', ')})::text)`
        return `select ${at} as at, count(*) || ' ' || md5(coalesce(string_agg(h, '' order by h), '')) as rows from (select ${content} as h from ${name}) r`
      })
      .join(' union all ')
    return new OutcomeReader(
      client,
      tables.map(([name]) => name),
      text,
    )
  }

  async read(): Promise<Outcome> {
    const { rows } = await this.#client.query<{ at: number; rows: string }>({ name: 'outcome', text: this.#text })
    return new Map(rows.map(({ at, rows: found }) => [this.#tables[at]!, found]))
  }
}

/** Tables in which two outcomes differ. @param uncertain tables of which only the number of rows is compared */
export const differencesOf = (one: Outcome, other: Outcome, uncertain: ReadonlySet<string> = new Set()): readonly string[] =>
  [...one]
    .filter(([name, rows]) => {
      const others = other.get(name)
      return uncertain.has(name) ? rows.split(' ')[0] !== others?.split(' ')[0] : others !== rows
    })
    .map(([name]) => name)
