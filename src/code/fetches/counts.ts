/** How often the repositories of projects are fetched, by day in UTC. */
import type { Db } from '../../platform/db/connection.ts'
import type { Deps } from '../../platform/kernel/context.ts'

/** Contract: fetches are counted for the last 30 days (project statistics API). */
const DAYS = 30

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** The first of the days that are counted. */
const firstDay = (now: Date): string => dayOf(new Date(now.getTime() - (DAYS - 1) * 24 * 60 * 60_000))

/** Counts a fetch of today. Nothing for a project that was deleted meanwhile. */
export async function countFetch({ database, now }: Deps, projectId: number): Promise<void> {
  await database.db
    .insertInto('project_fetches')
    .columns(['project_id', 'day', 'count'])
    .expression(eb =>
      eb
        .selectFrom('projects')
        .select(({ val, cast }) => ['id', cast<string>(val(dayOf(now())), 'date').as('day'), cast<number>(val(1), 'bigint').as('count')])
        .where('id', '=', projectId),
    )
    .onConflict(conflict =>
      conflict.columns(['project_id', 'day']).doUpdateSet(({ ref, eb }) => ({ count: eb(ref('project_fetches.count'), '+', 1) })),
    )
    .execute()
}

/** Fetches of a day: `date` as `2021-06-22`. */
export interface DayOfFetches {
  readonly date: string
  readonly count: number
}

/** The days of the last 30 on which there were any, the latest first. */
export async function fetchesByDay(db: Db, projectId: number, now: Date): Promise<readonly DayOfFetches[]> {
  return db
    .selectFrom('project_fetches')
    .select(['day as date', 'count'])
    .where('project_id', '=', projectId)
    .where('day', '>=', firstDay(now))
    .orderBy('day', 'desc')
    .execute()
}

/** Deletes what is not counted any more. */
export async function sweepFetches({ database, now }: Deps): Promise<void> {
  await database.db.deleteFrom('project_fetches').where('day', '<', firstDay(now())).execute()
}
