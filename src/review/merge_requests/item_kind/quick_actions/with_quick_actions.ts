/** Creating and changing merge requests by texts that may contain quick actions. */

import { actionsByName, type Writing } from '../../../../collaboration/quick_actions/action.ts'
import { attributeActions, lockActions } from '../../../../collaboration/quick_actions/table/attributes.ts'
import { assigneeActions } from '../../../../collaboration/quick_actions/table/people.ts'
import { sideEffectActions } from '../../../../collaboration/quick_actions/table/side_effects.ts'
import { timeActions } from '../../../../collaboration/quick_actions/table/times.ts'
import { createWithQuickActions, updateWithQuickActions } from '../../../../collaboration/quick_actions/with_quick_actions.ts'
import { labelActions, milestoneActions } from '../../../../planning/shared/quick_actions/table.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { planningPlaceOf } from '../../../../spaces/places/places.ts'
import { type ProjectWithRole, projectSubject } from '../../../../spaces/projects/scope.ts'
import type { SourceAndTarget } from '../../changes/branches.ts'
import { createMergeRequest, type NewMergeRequest } from '../../changes/create.ts'
import { type MergeRequestChanges, updateMergeRequest } from '../../changes/update.ts'
import { type MergeRequestRow, mergeRequestById } from '../../queries.ts'
import { noteableMergeRequest } from '../noteable.ts'
import { type MergeRequestTypes, mergeRequestActions } from './table.ts'

/** How quick actions in texts are applied to merge requests. */
export const mergeRequestWriting: Writing<MergeRequestTypes> = {
  actions: actionsByName(
    attributeActions,
    lockActions,
    labelActions,
    milestoneActions,
    assigneeActions,
    sideEffectActions,
    timeActions,
    mergeRequestActions,
  ),
  can: { update: 'update_merge_request', plan: 'admin_merge_request' },
  subject: projectSubject,
  labelsIn: planningPlaceOf,
  placeOf: ({ project }) => project,
  rowOf: ({ mergeRequest }) => mergeRequest,
  noteable: noteableMergeRequest,
  read: async ({ db }, project, id) => (await mergeRequestById(db, id, project.full_path)) as MergeRequestRow,
  update: updateMergeRequest,
}

/**
 * Creates a merge request and applies the quick actions of its description in the same transaction; not to be called inside
 * one. @throws the refusals of createMergeRequest and of the actions
 */
export const createMergeRequestWithQuickActions = (
  ctx: Context,
  ends: SourceAndTarget<ProjectWithRole>,
  given: NewMergeRequest,
): Promise<MergeRequestRow> =>
  createWithQuickActions(ctx, mergeRequestWriting, ends.target, given, (wanted, finish) => createMergeRequest(ctx, ends, wanted, finish))

/** Like updateMergeRequest, and applies the quick actions of the new description. @throws the refusals of both */
export const updateMergeRequestWithQuickActions = (
  ctx: Context,
  project: ProjectWithRole,
  row: MergeRequestRow,
  given: MergeRequestChanges,
): Promise<MergeRequestRow> => updateWithQuickActions(ctx, mergeRequestWriting, { place: project, row }, given)
