/** The numbers that issues, milestones, iterations and epics have within their project or group. */
import { sql } from 'kysely'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { IidCounters } from '../../platform/db/schema.ts'

/**
 * The next numbers of a kind of thing in a project or group, as a statement or a part of the one that inserts the things; its `value`
 * is the last of them. It belongs late into the transaction of that: others wait for it at the counter's row, so that numbers have no
 * gaps and none is given twice.
 */
export const takingIids = (db: Db, place: Place, noun: IidCounters['noun'], count: number) =>
  db
    .insertInto('iid_counters')
    .values({ ...place, noun, value: count })
    .onConflict(conflict =>
      conflict
        .columns(['project_id' in place ? 'project_id' : 'namespace_id', 'noun'])
        .doUpdateSet({ value: sql`iid_counters.value + excluded.value` }),
    )
    .returning('value')

/** The next number, taken by a statement of its own. */
export async function nextIid(db: Db, place: Place, noun: IidCounters['noun']): Promise<number> {
  const { value } = await takingIids(db, place, noun, 1).executeTakeFirstOrThrow()
  return value
}

/** Notes that a number was chosen by somebody: those given later are above it. */
export async function noteChosenIid(db: Db, place: Place, noun: IidCounters['noun'], iid: number): Promise<void> {
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

/** Keeps others from adding things of this kind to the place until the transaction ends. */
export async function lockIids(db: Db, place: Place, noun: IidCounters['noun']): Promise<void> {
  await db
    .selectFrom('iid_counters')
    .select('value')
    .where('project_id' in place ? 'project_id' : 'namespace_id', '=', 'project_id' in place ? place.project_id : place.namespace_id)
    .where('noun', '=', noun)
    .forUpdate()
    .execute()
}
