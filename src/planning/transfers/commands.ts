/**
 * What a transfer does to planning. Issues, merge requests, epics and boards keep the labels and milestones of groups that are still above them. For
 * others, one of the same name that is available in the new place serves, or a copy in the project itself; iterations are removed.
 */
import { itemKinds } from '../../collaboration/item_kinds/item_kind.ts'
import type { Replacement } from '../../collaboration/item_kinds/replacements.ts'
import { copyLabelSubscriptions } from '../../collaboration/subscriptions/commands.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { removeListsOfOtherGroups, replaceLabelsOnBoardsIn, replaceMilestonesOnBoardsIn } from '../boards/relabel.ts'
import { leaveIterationsOfOtherGroups } from '../issues/item_kind/relabel.ts'
import { copyLabels } from '../labels/commands.ts'
import { removeFormerPriorities, takeOverPriorities } from '../labels/priorities.ts'
import { copyMilestones } from '../milestones/transferred.ts'
import { deleteNotesOnIterationsOfOtherGroups, forgetIterationsOfOtherGroups, replaceInEvents } from '../resource_events/relabel.ts'
import { copiesNeeded } from './copies.ts'
import { servingInstead } from './serving.ts'
import { formerLabels, formerMilestones } from './uses.ts'

/**
 * Lets a moved project, or a moved group with everything below it, use no label, milestone or iteration of groups that are not above it any more.
 * These themselves do not change. Part of the transaction of the transfer; a fixed number of statements.
 * @returns the replacements of milestones, for what else refers to these
 */
export async function leaveFormerGroups(ctx: Context, moved: Place): Promise<Replacement[]> {
  const { db } = ctx
  await leaveIterationsOfOtherGroups(db, moved)
  await removeListsOfOtherGroups(db, moved)
  await forgetIterationsOfOtherGroups(db, moved)
  await deleteNotesOnIterationsOfOtherGroups(db, moved)
  await replaceLabels(ctx, moved)
  return replaceMilestones(ctx, moved)
}

async function replaceLabels({ db, now }: Context, moved: Place): Promise<void> {
  const uses = await formerLabels(db, moved)
  if (uses.length === 0) return
  const copies = new Set(await copyLabels(db, copiesNeeded(uses), now))
  const replacements = await servingInstead(db, { table: 'labels', name: 'name' }, uses)
  // Priorities come first and go last: what an issue is ordered by follows from those of its labels.
  await takeOverPriorities(db, replacements)
  for (const kind of itemKinds.value) await kind.replaceLabelsIn(db, replacements)
  await removeFormerPriorities(db, replacements)
  await replaceLabelsOnBoardsIn(db, replacements)
  await replaceInEvents(db, 'label_id', replacements)
  // A label that was there before is one of other projects too, so it gets no subscribers.
  await copyLabelSubscriptions(
    db,
    replacements.filter(({ to_id }) => copies.has(to_id)),
    now,
  )
}

async function replaceMilestones({ db, now }: Context, moved: Place): Promise<Replacement[]> {
  const uses = await formerMilestones(db, moved)
  if (uses.length === 0) return []
  await copyMilestones(db, copiesNeeded(uses), now)
  const replacements = await servingInstead(db, { table: 'milestones', name: 'title' }, uses)
  for (const kind of itemKinds.value) await kind.replaceMilestonesIn?.(db, replacements)
  await replaceMilestonesOnBoardsIn(db, replacements)
  await replaceInEvents(db, 'milestone_id', replacements)
  return replacements
}
