/** Creating and changing epics by texts that may contain quick actions, and the quick actions of epics only. */
import { type Actions, actionsByName, change, type ItemTypes, type Writing } from '../../../../collaboration/quick_actions/action.ts'
import { attributeActions } from '../../../../collaboration/quick_actions/table/attributes.ts'
import { sideEffectActions } from '../../../../collaboration/quick_actions/table/side_effects.ts'
import { onUltimate } from '../../../../collaboration/quick_actions/targets.ts'
import { createWithQuickActions, updateWithQuickActions } from '../../../../collaboration/quick_actions/with_quick_actions.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { groupSubject } from '../../../../spaces/groups/scope.ts'
import { groupPlaceOf } from '../../../../spaces/places/places.ts'
import { labelActions } from '../../../shared/quick_actions/table.ts'
import { assignChild, leaveParent } from '../../children/commands.ts'
import { createEpic, type EpicAttributes, type EpicChanges, updateEpic } from '../../commands.ts'
import { type EpicRow, epicById } from '../../queries.ts'
import { type GroupWithRole, type NoteableEpic, noteableEpic } from '../noteable.ts'
import { epicNamed } from './named.ts'

/** Epics as the type parameter of quick actions. */
interface EpicTypes extends ItemTypes {
  readonly place: GroupWithRole
  readonly noteable: NoteableEpic
  readonly row: EpicRow
  readonly changes: EpicChanges
}

/** Parents and children, of the group or of one below it. Cycles and too many levels are refused. */
const familyActions: Actions<EpicTypes> = {
  parent_epic: {
    argument: 'epic',
    may: onUltimate,
    async do({ ctx, place }, argument) {
      const parent = await epicNamed(ctx, place.full_path, argument)
      return parent && place.traversal_ids.includes(parent.namespace_id) ? change({ parent_id: parent.id }) : undefined
    },
  },
  remove_parent_epic: {
    may: onUltimate,
    do: ({ noteable }) => (noteable?.epic.parent_id ? change({ parent_id: null }) : undefined),
  },
  child_epic: {
    argument: 'epic',
    may: onUltimate,
    async do({ ctx, place }, argument) {
      const child = await epicNamed(ctx, place.full_path, argument)
      if (!child?.group_traversal_ids.includes(place.id)) return undefined
      return { reported: { child_epic_id: child.id }, after: async (ctx, { epic }) => void (await assignChild(ctx, epic, child)) }
    },
  },
  remove_child_epic: {
    argument: 'epic',
    may: onUltimate,
    async do({ ctx, place, noteable }, argument) {
      const child = await epicNamed(ctx, place.full_path, argument)
      if (!child || child.parent_id !== noteable?.epic.id) return undefined
      return { reported: { child_epic_id: child.id }, after: async ctx => void (await leaveParent(ctx, child)) }
    },
  },
}

/** How quick actions in texts are applied to epics. */
export const epicWriting: Writing<EpicTypes> = {
  actions: actionsByName(attributeActions, labelActions, sideEffectActions, familyActions),
  can: { update: 'admin_epic', plan: 'admin_epic' },
  subject: groupSubject,
  labelsIn: groupPlaceOf,
  placeOf: ({ group }) => group,
  rowOf: ({ epic }) => epic,
  noteable: noteableEpic,
  read: (ctx, group, id) => epicById(ctx, id, group.full_path),
  update: updateEpic,
}

/** Input of a new epic. */
type NewEpic = EpicAttributes & { readonly title: string; readonly created_at?: string | undefined }

/** Creates an epic and applies the quick actions of its description. @throws the refusals of createEpic and the actions */
export const createEpicWithQuickActions = (ctx: Context, group: GroupWithRole, given: NewEpic): Promise<EpicRow> =>
  createWithQuickActions(ctx, epicWriting, group, given, async (wanted, finish) => finish(ctx, await createEpic(ctx, group, wanted)))

/** Changes an epic and applies the quick actions of its new description. @throws the refusals of updateEpic and the actions */
export const updateEpicWithQuickActions = (ctx: Context, group: GroupWithRole, row: EpicRow, given: EpicChanges): Promise<EpicRow> =>
  updateWithQuickActions(ctx, epicWriting, { place: group, row }, given)
