/** The iids of issues, milestones, iterations and epics within their project or group. */
import { sql } from 'kysely'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { IidCounters } from '../../platform/db/schema.ts'

/**
 * The highest iid that a caller, or an archive, may choose. Later ones are greater, and addresses take no more than 2³¹ − 1: so a billion is left
 * for them.
 */
export const HIGHEST_CHOSEN_IID = 1_000_000_000

/**
 * Allocates the next iids of a noun in a project or group, as a statement or a part of the one that inserts the rows; `value` is the last
 * iid. It belongs late into that transaction: others wait for the lock of the counter's row, so that iids have no gaps and no duplicates.
 */
export const allocatingIids = (db: Db, place: Place, noun: IidCounters['noun'], count: number) =>
  db
    .insertInto('iid_counters')
    .values({ ...place, noun, value: count })
    .onConflict(conflict =>
      conflict
        .columns(['project_id' in place ? 'project_id' : 'namespace_id', 'noun'])
        .doUpdateSet({ value: sql`iid_counters.value + excluded.value` }),
    )
    .returning('value')

/** The next iid, allocated by its own statement. */
export async function nextIid(db: Db, place: Place, noun: IidCounters['noun']): Promise<number> {
  const { value } = await allocatingIids(db, place, noun, 1).executeTakeFirstOrThrow()
  return value
}

/**
 * Allocates iids of a noun in several projects or groups by one statement.
 * @param counts how many, by the id of the project or group
 * @returns the last iid of each
 */
export async function allocateIidsIn(
  db: Db,
  column: 'project_id' | 'namespace_id',
  noun: IidCounters['noun'],
  counts: ReadonlyMap<number, number>,
): Promise<Map<number, number>> {
  // In the order of the ids: two that lock the same counters do not wait for each other.
  const { rows } = await sql<{ id: number; value: number }>`
    insert into iid_counters (${sql.ref(column)}, noun, value)
    select place.id, ${noun}, place.count from unnest(${[...counts.keys()]}::bigint[], ${[...counts.values()]}::bigint[]) as place(id, count)
     order by place.id
    on conflict (${sql.ref(column)}, noun) do update set value = iid_counters.value + excluded.value
    returning ${sql.ref(column)} as id, value`.execute(db)
  return new Map(rows.map(row => [row.id, row.value]))
}

/** Records an iid that a caller has chosen: later ones are greater. */
export async function recordChosenIid(db: Db, place: Place, noun: IidCounters['noun'], iid: number): Promise<void> {
  await db
    .insertInto('iid_counters')
    .values({ ...place, noun, value: iid })
    .onConflict(conflict =>
      conflict
        .columns(['project_id' in place ? 'project_id' : 'namespace_id', 'noun'])
        .doUpdateSet({ value: sql`greatest(iid_counters.value, excluded.value)` }),
    )
    .execute()
}

/** Locks the iid counter of this noun in the place until the transaction ends. */
export async function lockIids(db: Db, place: Place, noun: IidCounters['noun']): Promise<void> {
  await db
    .selectFrom('iid_counters')
    .select('value')
    .where('project_id' in place ? 'project_id' : 'namespace_id', '=', 'project_id' in place ? place.project_id : place.namespace_id)
    .where('noun', '=', noun)
    .forUpdate()
    .execute()
}
