/** What rows say of other rows: those that they name, the ids that come next, the moves of references that are on their way. */
import { sql } from 'kysely'
import { reconcileReferences } from '../../code/ref_updates/reconcile.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { IidCounters } from '../../platform/db/schema.ts'
import { recordChosenIid } from '../../spaces/places/iids.ts'
import type { Looking } from './check.ts'

interface ForeignKey {
  readonly table: string
  readonly columns: readonly string[]
  readonly other: string
  readonly other_columns: readonly string[]
}

/** Rows that name a row which is not there. PostgreSQL keeps that from happening, but not on a disk that lost something. */
export async function checkRows({ deps, faults }: Looking): Promise<void> {
  const { db } = deps.database
  for (const { table, columns, other, other_columns } of await foreignKeys(db)) {
    faults.looked += 1
    const named = columns.map((column, index) => sql`p.${sql.ref(other_columns[index]!)} = t.${sql.ref(column)}`)
    const given = columns.map(column => sql`t.${sql.ref(column)} is not null`)
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} t
       where ${sql.join(given, sql` and `)} and not exists (select from ${sql.table(other)} p where ${sql.join(named, sql` and `)})`.execute(
      db,
    )
    const { count } = rows[0]!
    if (count > 0) faults.add(`${columns.join(', ')} of ${table}: ${count} name no row of ${other}`)
  }
}

async function foreignKeys(db: Db): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select t.relname as "table", o.relname as other,
           (select array_agg(a.attname::text order by place) from unnest(c.conkey) with ordinality as k (number, place)
              join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number) as columns,
           (select array_agg(a.attname::text order by place) from unnest(c.confkey) with ordinality as k (number, place)
              join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number) as other_columns
      from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class o on o.oid = c.confrelid
      join pg_namespace n on n.oid = t.relnamespace
     where c.contype = 'f' and c.conparentid = 0 and n.nspname = 'public' order by 1, c.conname`.execute(db)
  return rows
}

/** Tables of the nouns that are counted within their project or group, and the columns of those. */
const iids: { readonly [N in IidCounters['noun']]: readonly [table: string, ...places: ('project_id' | 'namespace_id')[]] } = {
  issue: ['issues', 'project_id'],
  milestone: ['milestones', 'project_id', 'namespace_id'],
  iteration: ['iterations', 'namespace_id'],
  epic: ['epics', 'namespace_id'],
  merge_request: ['merge_requests', 'project_id'],
  deployment: ['deployments', 'project_id'],
  pipeline: ['pipelines', 'project_id'],
  flag_user_list: ['flag_user_lists', 'project_id'],
}

/** The next id, and the next iid of a project or group, are not taken yet. */
export async function checkIds(looking: Looking): Promise<void> {
  await checkSequences(looking)
  for (const [noun, [table, ...places]] of Object.entries(iids))
    for (const place of places) await checkIids(looking, noun as IidCounters['noun'], table, place)
}

async function checkSequences({ deps, faults, mend }: Looking): Promise<void> {
  const { db } = deps.database
  const { rows: sequences } = await sql<{ table: string; column: string; sequence: string }>`
    select t.relname as "table", a.attname as "column", pg_get_serial_sequence(t.oid::regclass::text, a.attname) as sequence
      from pg_class t join pg_attribute a on a.attrelid = t.oid join pg_namespace n on n.oid = t.relnamespace
     where n.nspname = 'public' and t.relkind in ('r', 'p') and not t.relispartition and a.attidentity <> '' order by 1`.execute(db)
  for (const { table, column, sequence } of sequences) {
    faults.looked += 1
    const { rows } = await sql<{ highest: number; last: number }>`
      select coalesce((select max(${sql.ref(column)}) from ${sql.table(table)}), 0) as highest,
             coalesce(pg_sequence_last_value(${sequence}::regclass), 0) as last`.execute(db)
    const { highest, last } = rows[0]!
    if (highest <= last) continue
    if (mend) await sql`select setval(${sequence}::regclass, ${highest})`.execute(db)
    faults.add(`${table} has ${column} ${highest}, and the last one given out is ${last}`, mend)
  }
}

/** Rows per statement. */
const PAGE = 500

async function checkIids({ deps, faults, mend }: Looking, noun: IidCounters['noun'], table: string, place: 'project_id' | 'namespace_id') {
  const { db } = deps.database
  const column = sql.ref(place)
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) as count from iid_counters where noun = ${noun} and ${column} is not null`.execute(db)
  faults.looked += counted[0]!.count
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number; highest: number; value: number }>`
      select t.${column} as id, max(t.iid) as highest, coalesce(max(c.value), 0) as value
        from ${sql.table(table)} t left join iid_counters c on c.noun = ${noun} and c.${column} = t.${column}
       where t.${column} > ${last}
       group by t.${column} having max(t.iid) > coalesce(max(c.value), 0) order by 1 limit ${sql.lit(PAGE)}`.execute(db)
    for (const { id, highest, value } of rows) {
      const where = place === 'project_id' ? { project_id: id } : { namespace_id: id }
      if (mend) await recordChosenIid(db, where, noun, highest)
      faults.add(`${place} ${id} has ${noun} ${highest}, and the last one given out is ${value}`, mend)
    }
    if (rows.length < PAGE) return
    last = rows.at(-1)!.id
  }
}

/** A move of references that was not made within this time never will be. In milliseconds. */
const PATIENCE = 24 * 60 * 60 * 1000

/** Moves of references that were begun and neither made nor given up. */
export async function checkJournal({ deps, faults, mend }: Looking): Promise<void> {
  const { db } = deps.database
  const before = new Date(deps.now().getTime() - PATIENCE).toISOString()
  const old = () =>
    db.selectFrom('reference_intents').select(['id', 'project_id']).where('created_at', '<', before).orderBy('id').limit(PAGE).execute()
  const { count } = await db
    .selectFrom('reference_intents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  faults.looked += count
  const found = await old()
  if (mend && found.length > 0) await reconcileReferences(deps)
  const left = new Set(mend ? (await old()).map(({ id }) => id) : found.map(({ id }) => id))
  for (const { id, project_id } of found) faults.add(`${id} of project ${project_id} is older than a day`, !left.has(id))
}
