/** Child epics (epic links API), and what an epic may contain. */

import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { lockName } from '../../../platform/db/statements/named_locks.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { badRequest, invalid, notFound } from '../../../platform/kernel/errors.ts'
import { lockContents, lockContentsOf } from '../../shared/epics.ts'
import { inNewOrder, type Neighbours } from '../order.ts'
import { depthBelow, type EpicRow, epicById, lineOf, visibleEpicById } from '../queries.ts'

/** Maximum nesting depth of epics. */
export const MOST_LEVELS = 7

/** 400 if a confidential epic would contain issues or epics that are not confidential. */
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
 * Serializes changes of the epic hierarchy, since two concurrent ones could form a cycle. Callers that also lock an epic must take this
 * lock first; otherwise two requests that exchange parents would deadlock.
 */
export const lockEpicTrees = async (db: Db): Promise<void> => {
  await lockName(db, 'parents of epics')
}

/**
 * Locks an epic, and before it the parent that it has and the one that it is to have, so that their children stay as they are. Returns the
 * parent that it has. An epic that came below another one meanwhile, or was deleted, has the transaction run again.
 */
export async function lockParents(db: Db, childId: number, parentId: number | null): Promise<number | null> {
  const locked = await lockContents(db, sql`${parentId}::bigint, (select parent_id from epics child where child.id = ${childId})`)
  const child = await db
    .selectFrom('epics')
    .select('parent_id')
    .where('id', '=', childId)
    .where(({ or, eb }) => or([eb('parent_id', 'is', null), eb('parent_id', '=', anyOf(locked))]))
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return child.parent_id
}

/**
 * Makes an epic the last child of `parentId`, or a top-level epic for null. 400 for a parent that the caller may not see, that does not
 * belong to the child's group or one above, that is below the child, or that would exceed the depth. One that already is the parent changes
 * nothing: the same request may have come twice.
 */
export async function setParent(ctx: Context, parentId: number | null, child: EpicRow): Promise<void> {
  const { db, actor, now } = ctx
  if (parentId !== null) {
    await lockEpicTrees(db)
    const parent = await visibleEpicById(db, actor, parentId, null)
    if (!parent || !child.group_traversal_ids.includes(parent.namespace_id)) throw invalid({ parent_id: ['does not exist here'] })
    const line = await lineOf(db, parent.id)
    if (line.includes(child.id)) throw invalid({ parent_id: ['is the epic itself or below it'] })
    if (line.length + (await depthBelow(db, child.id)) > MOST_LEVELS)
      throw invalid({ parent_id: [`would make more than ${MOST_LEVELS} levels of epics`] })
  }
  await lockParents(db, child.id, parentId)
  if (parentId !== null) {
    const { holder, held } = await db
      .selectFrom('epics')
      .innerJoin('epics as child', join => join.on('child.id', '=', child.id))
      .select(['epics.confidential as holder', 'child.confidential as held'])
      .where('epics.id', '=', parentId)
      .executeTakeFirstOrThrow()
    if (holder && !held) throw invalid({ parent_id: ['is confidential, and the epic is not'] })
  }
  await db
    .updateTable('epics')
    .set({
      parent_id: parentId,
      position: sql`(select coalesce(max(siblings.position) + 1, 0) from epics siblings where siblings.parent_id = ${parentId})`,
      updated_at: now,
    })
    .where('id', '=', child.id)
    .where('parent_id', 'is distinct from', parentId)
    .execute()
}

/** Writes the parents of new epics, which fit and stand in the order of their siblings. */
export async function setParents(db: Db, given: readonly { readonly id: number; readonly parent_id: number }[]): Promise<void> {
  if (given.length === 0) return
  await sql`update epics set parent_id = given.parent_id, position = given.place
              from (select (each ->> 'id')::bigint as id, (each ->> 'parent_id')::bigint as parent_id, place
                      from json_array_elements(${JSON.stringify(given)}::json) with ordinality as rows(each, place)) as given
             where epics.id = given.id`.execute(db)
}

/** Makes an epic a child of another one, whatever its previous parent. */
export async function assignChild(ctx: Context, parent: EpicRow, child: EpicRow): Promise<EpicRow> {
  if (child.parent_id === parent.id) return child
  await setParent(ctx, parent.id, child)
  return epicById(ctx, child.id, child.asked_in)
}

/** Removes an epic from the parent that it was read with; false if that is not its parent any more. */
export async function leaveParent(ctx: Context, child: EpicRow): Promise<boolean> {
  if ((await lockParents(ctx.db, child.id, null)) !== child.parent_id) return false
  await setParent(ctx, null, child)
  return true
}

/** Removes an epic from its parent; 404 if that is not its parent any more. */
export async function unassignChild(ctx: Context, child: EpicRow): Promise<EpicRow> {
  if (!(await leaveParent(ctx, child))) throw notFound('Epic')
  return epicById(ctx, child.id, child.asked_in)
}

/** Moves a child directly before or after a sibling; 400 if the neighbour is not a sibling, 404 if the epic is not a child any more. */
export async function reorderChild({ db }: Context, parent: EpicRow, child: EpicRow, neighbours: Neighbours): Promise<void> {
  await lockContentsOf(db, parent.id)
  const rows = await db.selectFrom('epics').select('id').where('parent_id', '=', parent.id).orderBy('position').orderBy('id').execute()
  const siblings = rows.map(row => row.id)
  // It may have been removed while the parent was waited for.
  if (!siblings.includes(child.id)) throw notFound('Epic')
  const ids = inNewOrder(siblings, child.id, neighbours)
  if (!ids) throw badRequest('the neighbour is not below the same epic')
  await sql`update epics set position = o.place - 1
              from unnest(${ids}::bigint[]) with ordinality as o(id, place) where epics.id = o.id`.execute(db)
}
