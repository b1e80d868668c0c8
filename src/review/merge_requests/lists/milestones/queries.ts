/** Reads of the merge requests of milestones. */
import { sql } from 'kysely'
import type { Context } from '../../../../platform/kernel/context.ts'
import type { PlanningPlace } from '../../../../spaces/places/places.ts'
import { mergeRequests } from '../../queries.ts'
import { mergeRequestVisibleTo } from '../visible.ts'

/** The merge requests of a milestone that the caller may see, newest first. */
export const mergeRequestsOfMilestone = ({ db, actor }: Pick<Context, 'db' | 'actor'>, place: PlanningPlace, id: number) =>
  mergeRequests(db, place.full_path)
    .where('merge_requests.milestone_id', '=', id)
    .where(mergeRequestVisibleTo(actor))
    .orderBy('merge_requests.created_at', 'desc')
    .orderBy('merge_requests.id', 'desc')

/** How many merge requests of a milestone the caller may see, by state. One statement. */
export const mergeRequestCountsOf = ({ db, actor }: Pick<Context, 'db' | 'actor'>, id: number) =>
  db
    .selectFrom('merge_requests')
    .where('merge_requests.milestone_id', '=', id)
    .where(mergeRequestVisibleTo(actor))
    .select([
      sql<number>`count(*) filter (where merge_requests.state in ('opened', 'locked'))::int`.as('opened'),
      sql<number>`count(*) filter (where merge_requests.state = 'merged')::int`.as('merged'),
      sql<number>`count(*) filter (where merge_requests.state = 'closed')::int`.as('closed'),
    ])
    .executeTakeFirstOrThrow()
