/** What the page of an account counts. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { feedMatching } from '../feed/queries.ts'

/** How often a user did something on each day after this one, as far as the actor may see it, by day (`YYYY-MM-DD`, UTC). Days without are left out. */
export async function contributionsAfter(db: Db, actor: Actor, userId: number, after: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom(feedMatching(db, actor, { authorId: userId }, { after }).clearOrderBy().as('done'))
    .select([sql<string>`to_char(done.created_at at time zone 'UTC', 'YYYY-MM-DD')`.as('day'), sql<number>`count(*)::int`.as('count')])
    .groupBy('day')
    .execute()
  return new Map(rows.map(({ day, count }) => [day, count]))
}
