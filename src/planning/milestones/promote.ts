/** Promotion of a project's milestone to its group. */

import { itemKinds } from '../../collaboration/item_kinds/item_kind.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest } from '../../platform/kernel/errors.ts'
import { nextIid } from '../../spaces/places/iids.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { replaceMilestonesOnBoards } from '../boards/relabel.ts'
import { groupToPromoteTo, lockNamesakes } from '../shared/promotion.ts'
import { type MilestoneRow, milestoneById } from './queries.ts'

/**
 * Promotes a project's milestone to its group. It keeps its id and gets a number of the group, and milestones of that title in all
 * projects of the group are merged into it; if the group has such a milestone already, that one remains instead. 400 for a project
 * outside a group, 403 without the right to administer the group's milestones.
 */
export async function promoteMilestone(ctx: Context, project: ProjectWithRole, milestone: MilestoneRow): Promise<MilestoneRow> {
  const { db, now } = ctx
  const group = await groupToPromoteTo(ctx, project, 'admin_group_milestone')
  if (!group) throw badRequest('Only a milestone of a project in a group can be promoted')
  const promoted = { id: milestone.id, project_id: project.id, name: milestone.title }
  const { kept, others, isOfGroup } = await lockNamesakes(db, 'milestones', group.id, promoted)
  for (const kind of itemKinds.value) await kind.replaceMilestones?.(db, others, kept)
  await replaceMilestonesOnBoards(db, others, kept)
  await db.deleteFrom('milestones').where('id', '=', anyOf(others)).execute()
  const key = { namespace_id: group.id }
  if (!isOfGroup)
    await db
      .updateTable('milestones')
      .set({ ...key, project_id: null, iid: await nextIid(db, key, 'milestone'), updated_at: now })
      .where('id', '=', kept)
      .execute()
  return (await milestoneById(db, { noun: 'group', id: group.id, key, above: [], full_path: group.full_path }, kept)) as MilestoneRow
}
