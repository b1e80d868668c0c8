/** Writes of milestones. */
import { uniqueViolation } from '../../platform/db/errors.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { next } from '../../platform/kernel/declaration/machine.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { nextIid, recordChosenIid } from '../../spaces/places/iids.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { type MilestoneRow, milestoneById, milestoneTitled } from './queries.ts'
import { milestoneMachine } from './states.ts'

export interface MilestoneAttributes {
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  readonly start_date?: string | null | undefined
  readonly due_date?: string | null | undefined
}

const takenTitle = () => invalid({ title: ['already being used for another group or project milestone.'] })

/** 400 if a milestone ends before it begins, or if its title is used in the project, its groups or their projects. */
async function assertAttributes(
  ctx: Context,
  place: PlanningPlace,
  { title, start_date, due_date }: MilestoneAttributes,
  own?: number,
): Promise<void> {
  if (start_date && due_date && due_date < start_date) throw invalid({ due_date: ['must be greater than start date'] })
  if (title === undefined) return
  let taken = milestoneTitled(ctx.db, place, title)
  if (own !== undefined) taken = taken.where('milestones.id', '<>', own)
  if (await taken.executeTakeFirst()) throw takenTitle()
}

/** Reports a title that a concurrent request has taken, as found by the unique constraint. */
function rethrowTaken(error: unknown): never {
  throw uniqueViolation(error) === undefined ? error : takenTitle()
}

const record = (ctx: Context, kind: `milestone.${'created' | 'updated' | 'closed' | 'reopened' | 'deleted'}`, milestone: MilestoneRow) =>
  recordEvent(ctx, {
    kind,
    payload: { milestone_id: milestone.id, iid: milestone.iid, title: milestone.title },
    actorId: ctx.actor.user?.id,
    projectId: milestone.project_id ?? undefined,
    namespaceId: milestone.namespace_id ?? undefined,
  })

/** Creates a milestone of the place; with a number that is free there, where one is given. */
export async function createMilestone(
  ctx: Context,
  place: PlanningPlace,
  { iid, ...given }: MilestoneAttributes & { readonly title: string; readonly iid?: number | undefined },
): Promise<MilestoneRow> {
  const { db, now } = ctx
  const title = given.title.trim()
  await assertAttributes(ctx, place, { ...given, title })
  if (iid !== undefined) await recordChosenIid(db, place.key, 'milestone', iid)
  const { id } = await db
    .insertInto('milestones')
    .values({ ...place.key, ...given, title, iid: iid ?? (await nextIid(db, place.key, 'milestone')), created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(rethrowTaken)
  const milestone = (await milestoneById(db, place, id)) as MilestoneRow
  await record(ctx, 'milestone.created', milestone)
  return milestone
}

/** Changes a milestone, and closes or activates it; repeating that changes nothing. */
export async function updateMilestone(
  ctx: Context,
  place: PlanningPlace,
  { id }: MilestoneRow,
  { state_event, ...changes }: MilestoneAttributes & { readonly state_event?: 'close' | 'activate' | undefined },
): Promise<MilestoneRow> {
  const { db, now } = ctx
  // Locked until the transaction ends, so that concurrent requests close it once.
  const { start_date, due_date, state } = await db
    .selectFrom('milestones')
    .selectAll()
    .where('id', '=', id)
    // A promotion that ended meanwhile has made it the group's.
    .where(({ and }) => and(place.key))
    .forUpdate()
    .executeTakeFirstOrThrow()
  const title = changes.title?.trim()
  await assertAttributes(ctx, place, { start_date, due_date, ...changes, title }, id)
  const moved = state_event && next(milestoneMachine, state, state_event)
  await db
    .updateTable('milestones')
    .set({ ...changes, ...(title !== undefined && { title }), ...(moved && { state: moved }), updated_at: now })
    .where('id', '=', id)
    .execute()
    .catch(rethrowTaken)
  const milestone = (await milestoneById(db, place, id)) as MilestoneRow
  await record(ctx, moved ? (moved === 'closed' ? 'milestone.closed' : 'milestone.reopened') : 'milestone.updated', milestone)
  return milestone
}

/** Deletes a milestone of the place; its items then have none. */
export async function removeMilestone(ctx: Context, place: PlanningPlace, milestone: MilestoneRow): Promise<void> {
  // A promotion that ended meanwhile has made it the group's: then the project has nothing to delete.
  await ctx.db
    .deleteFrom('milestones')
    .where('id', '=', milestone.id)
    .where(({ and }) => and(place.key))
    .returning('id')
    .executeTakeFirstOrThrow()
  await record(ctx, 'milestone.deleted', milestone)
}
