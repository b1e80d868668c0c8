/** Renames and removes topics in all projects. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'

/** Replaces a topic in every project that has it, without duplicates. */
export async function replaceTopic(db: Db, from: string, to: string): Promise<void> {
  await db
    .updateTable('projects')
    .set({
      topics: sql`case when topics @> ${[to]}::text[] then array_remove(topics, ${from}) else array_replace(topics, ${from}, ${to}) end`,
    })
    .where(sql<boolean>`topics @> ${[from]}::text[]`)
    .execute()
}

/** Removes a topic from every project that has it. */
export async function dropTopic(db: Db, name: string): Promise<void> {
  await db
    .updateTable('projects')
    .set({ topics: sql`array_remove(topics, ${name})` })
    .where(sql<boolean>`topics @> ${[name]}::text[]`)
    .execute()
}
