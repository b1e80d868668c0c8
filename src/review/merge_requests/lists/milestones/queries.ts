/** Reads of the merge requests of milestones. */
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
