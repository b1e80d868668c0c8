/** Promotion of a project's label to its group. */
import { sql } from 'kysely'
import { itemKinds } from '../../collaboration/item_kinds/item_kind.ts'
import { moveSubscriptions } from '../../collaboration/subscriptions/commands.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, notFound } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { replaceLabelsOnBoards } from '../boards/relabel.ts'
import { groupToPromoteTo, lockNamesakes } from '../shared/promotion.ts'
import { countedLabelNamed, type LabelRow } from './queries.ts'

/**
 * Promotes a project's label to its group. The label keeps its id, and labels of that name in all projects of the group are merged into
 * it; if the group has such a label already, that one remains instead. 400 for a project outside a group,
 * 403 without the right to administer the group's labels.
 */
export async function promoteLabel(ctx: Context, project: ProjectWithRole, label: LabelRow): Promise<LabelRow> {
  const { db, actor, now } = ctx
  if (label.project_id !== project.id) throw notFound('Label')
  const group = await groupToPromoteTo(ctx, project, 'admin_group_label')
  if (!group) throw badRequest('Failed to promote project label to group label')
  const { kept, others, isOfGroup } = await lockNamesakes(db, 'labels', group.id, { ...label, project_id: project.id })
  await mergeInto(db, others, kept, now)
  if (!isOfGroup)
    await db.updateTable('labels').set({ project_id: null, namespace_id: group.id, updated_at: now }).where('id', '=', kept).execute()
  const place = { noun: 'group', id: group.id, key: { namespace_id: group.id }, above: [], full_path: group.full_path } as const
  return (await countedLabelNamed(db, actor, place, String(kept))) as LabelRow
}

/** Replaces the labels `from` by `to` everywhere, and deletes them. */
async function mergeInto(db: Db, from: readonly number[], to: number, now: Date): Promise<void> {
  if (from.length === 0) return
  for (const kind of itemKinds.value) await kind.replaceLabels(db, from, to)
  await replaceLabelsOnBoards(db, from, to)
  await moveSubscriptions(db, from, to, now)
  await sql`insert into label_priorities (label_id, project_id, priority)
    select ${to}, project_id, min(priority) from label_priorities where label_id = any(${from}) group by project_id
    on conflict do nothing`.execute(db)
  await db.deleteFrom('labels').where('id', 'in', from).execute()
}
