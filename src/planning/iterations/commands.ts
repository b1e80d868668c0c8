/**
 * Writes of iterations. The public REST API only lists them and creates them by GraphQL: these commands serve additive
 * endpoints.
 */

import { uniqueViolation } from '../../platform/db/errors.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import { lockIids, nextIid } from '../../spaces/places/iids.ts'
import { type IterationRow, iterationById, iterationOverlapping } from './queries.ts'

export interface IterationAttributes {
  readonly title: string
  readonly description?: string | null | undefined
  /** `YYYY-MM-DD`, inclusive. */
  readonly start_date: string
  readonly due_date: string
}

/** 400 if an iteration ends before it begins, or overlaps another one of the group. */
async function assertDates({ db }: Context, group: GroupRow, { start_date, due_date }: IterationAttributes, own?: number): Promise<void> {
  if (due_date < start_date) throw invalid({ due_date: ['must be greater than start date'] })
  if (await iterationOverlapping(db, group.id, start_date, due_date, own))
    throw invalid({ base: ['Dates cannot overlap with other existing Iterations within this group'] })
}

function rethrowTakenTitle(error: unknown): never {
  throw uniqueViolation(error) === undefined ? error : invalid({ title: ['has already been taken'] })
}

/** Creates an iteration of a group. */
export async function createIteration(ctx: Context, group: GroupRow, given: IterationAttributes): Promise<IterationRow> {
  const { db, now } = ctx
  // The number comes first: its counter serializes concurrent creations in the group, so that none can overlap.
  const iid = await nextIid(db, { namespace_id: group.id }, 'iteration')
  await assertDates(ctx, group, given)
  const { id } = await db
    .insertInto('iterations')
    .values({ ...given, title: given.title.trim(), namespace_id: group.id, iid, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(rethrowTakenTitle)
  return (await iterationById(db, group.id, id)) as IterationRow
}

/** Changes an iteration. */
export async function updateIteration(
  ctx: Context,
  group: GroupRow,
  iteration: IterationRow,
  changes: Partial<IterationAttributes>,
): Promise<IterationRow> {
  const { db, now } = ctx
  await lockIids(db, { namespace_id: group.id }, 'iteration')
  await assertDates(ctx, group, { ...iteration, ...changes }, iteration.id)
  await db
    .updateTable('iterations')
    .set({ ...changes, ...(changes.title !== undefined && { title: changes.title.trim() }), updated_at: now })
    .where('id', '=', iteration.id)
    .execute()
    .catch(rethrowTakenTitle)
  return (await iterationById(db, group.id, iteration.id)) as IterationRow
}

/** Deletes an iteration; its issues then have none. */
export const removeIteration = async ({ db }: Context, iteration: IterationRow): Promise<void> => {
  await db.deleteFrom('iterations').where('id', '=', iteration.id).returning('id').executeTakeFirstOrThrow()
}
