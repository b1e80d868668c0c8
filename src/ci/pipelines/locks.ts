/** Which pipelines keep their artifacts (`pipelines.locked`). */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Locks a child pipeline if its parent is locked. */
export const lockWithParent = (db: Db, id: number) =>
  sql`update pipelines set locked = true from pipelines parent
       where pipelines.id = ${id} and parent.id = pipelines.parent_id and parent.locked and not pipelines.locked`.execute(db)

/** Locks a pipeline and its descendants. */
export const lockWithChildren = (db: Db, id: number) =>
  sql`
    with recursive tree (id) as (
      select ${id}::bigint union all select pipelines.id from pipelines join tree on pipelines.parent_id = tree.id
    )
    update pipelines set locked = true from tree where pipelines.id = tree.id and not pipelines.locked`.execute(db)

/** The part of a statement that unlocks the pipelines for which a condition holds; it returns their `id`. */
export const unlocking = (which: RawBuilder<boolean>) => sql`update pipelines set locked = false where locked and ${which} returning id`
