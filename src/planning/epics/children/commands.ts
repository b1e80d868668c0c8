/** Epics below epics (epic links API), and what an epic may hold. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { badRequest, invalid } from '../../../platform/kernel/errors.ts'
import { inNewOrder, type Neighbours } from '../order.ts'
import { depthBelow, type EpicRow, epicById, lineOf, visibleEpicById } from '../queries.ts'

/** Levels that epics are nested in at most. */
const MOST_LEVELS = 7

/** A confidential epic holds nothing that is open to others; 400 where it would. */
export async function assertNoOpenChildren(db: Db, epicId: number): Promise<void> {
  const epic = await db
    .selectFrom('epics')
    .select('id')
    .where('parent_id', '=', epicId)
    .where('confidential', '=', false)
    .executeTakeFirst()
  const issue = await db
    .selectFrom('issues')
    .select('id')
    .where('epic_id', '=', epicId)
    .where('confidential', '=', false)
    .executeTakeFirst()
  if (epic ?? issue) throw invalid({ confidential: ['cannot be set while the epic holds issues or epics that are not confidential'] })
}

/**
 * Lets one transaction at a time change who is below whom: two at once could else make a circle. Whoever holds an epic besides asks for
 * this first, or two who take each other's epics for parents wait for one another.
 */
export const lockEpicTrees = async (db: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('epics.parent_id'))`.execute(db)
}

/**
 * Puts an epic behind the others below `parentId`, or at the top for null. 400 for a parent that the caller may not know
 * of, that is not of the child's group or one above, that is below the child, or where the levels would be too many.
 */
export async function adopt(ctx: Context, parentId: number | null, child: EpicRow): Promise<void> {
  const { db, actor, now } = ctx
  if (parentId !== null) {
    await lockEpicTrees(db)
    const parent = await visibleEpicById(db, actor, parentId, null)
    if (!parent || !child.group_traversal_ids.includes(parent.namespace_id)) throw invalid({ parent_id: ['does not exist here'] })
    const line = await lineOf(db, parent.id)
    if (line.includes(child.id)) throw invalid({ parent_id: ['is the epic itself or below it'] })
    if (line.length + (await depthBelow(db, child.id)) > MOST_LEVELS)
      throw invalid({ parent_id: [`would make more than ${MOST_LEVELS} levels of epics`] })
    if (parent.confidential && !child.confidential) throw invalid({ parent_id: ['is confidential, and the epic is not'] })
  }
  await db
    .updateTable('epics')
    .set({
      parent_id: parentId,
      position: sql`(select coalesce(max(siblings.position) + 1, 0) from epics siblings where siblings.parent_id = ${parentId})`,
      updated_at: now,
    })
    .where('id', '=', child.id)
    .execute()
}

/** Puts an epic below another one, whoever had it before. */
export async function assignChild(ctx: Context, parent: EpicRow, child: EpicRow): Promise<EpicRow> {
  if (child.parent_id === parent.id) return child
  await adopt(ctx, parent.id, child)
  return epicById(ctx, child.id, child.asked_in)
}

/** Takes an epic from below another one. */
export async function unassignChild(ctx: Context, child: EpicRow): Promise<EpicRow> {
  await adopt(ctx, null, child)
  return epicById(ctx, child.id, child.asked_in)
}

/** Puts a child right before or right behind a sibling; 400 for a neighbour that is none. */
export async function reorderChild({ db }: Context, parent: EpicRow, child: EpicRow, neighbours: Neighbours): Promise<void> {
  await db.selectFrom('epics').select('id').where('id', '=', parent.id).forUpdate().execute()
  const siblings = await db.selectFrom('epics').select('id').where('parent_id', '=', parent.id).orderBy('position').orderBy('id').execute()
  const ids = inNewOrder(
    siblings.map(row => row.id),
    child.id,
    neighbours,
  )
  if (!ids) throw badRequest('the neighbour is not below the same epic')
  await sql`update epics set position = o.place - 1
              from unnest(${ids}::bigint[]) with ordinality as o(id, place) where epics.id = o.id`.execute(db)
}
