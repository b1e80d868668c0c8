/** Creating and changing issues by texts that may contain quick actions. */

import { actionsByName, type Writing } from '../../../../collaboration/quick_actions/action.ts'
import { attributeActions, lockActions } from '../../../../collaboration/quick_actions/table/attributes.ts'
import { assigneeActions } from '../../../../collaboration/quick_actions/table/people.ts'
import { sideEffectActions } from '../../../../collaboration/quick_actions/table/side_effects.ts'
import { timeActions } from '../../../../collaboration/quick_actions/table/times.ts'
import { createWithQuickActions, updateWithQuickActions } from '../../../../collaboration/quick_actions/with_quick_actions.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { planningPlaceOf } from '../../../../spaces/places/places.ts'
import { type ProjectWithRole, projectSubject } from '../../../../spaces/projects/scope.ts'
import { labelActions, milestoneActions } from '../../../shared/quick_actions/table.ts'
import { createIssue, type NewIssue } from '../../changes/creation/create.ts'
import { type IssueChanges, updateIssue } from '../../changes/update.ts'
import { type IssueRow, issueById } from '../../queries.ts'
import { noteableIssue } from '../noteable.ts'
import { epicActions } from './epics.ts'
import { type IssueTypes, issueAttributeActions, issueRelationActions } from './table.ts'

/** How quick actions in texts are applied to issues. */
export const issueWriting: Writing<IssueTypes> = {
  actions: actionsByName(
    attributeActions,
    lockActions,
    labelActions,
    milestoneActions,
    assigneeActions,
    sideEffectActions,
    timeActions,
    issueAttributeActions,
    issueRelationActions,
    epicActions,
  ),
  can: { update: 'update_issue', plan: 'admin_issue' },
  subject: projectSubject,
  labelsIn: planningPlaceOf,
  placeOf: ({ project }) => project,
  rowOf: ({ item }) => item,
  noteable: noteableIssue,
  read: async ({ db }, project, id) => (await issueById(db, id, project.full_path)) as IssueRow,
  update: updateIssue,
}

/** Creates an issue and applies the quick actions of its description. @throws the refusals of createIssue and the actions */
export const createIssueWithQuickActions = (ctx: Context, project: ProjectWithRole, given: NewIssue): Promise<IssueRow> =>
  createWithQuickActions(ctx, issueWriting, project, given, async (wanted, finish) => finish(ctx, await createIssue(ctx, project, wanted)))

/** Changes an issue and applies the quick actions of its new description. @throws the refusals of updateIssue and the actions */
export const updateIssueWithQuickActions = (
  ctx: Context,
  project: ProjectWithRole,
  row: IssueRow,
  given: IssueChanges,
): Promise<IssueRow> => updateWithQuickActions(ctx, issueWriting, { place: project, row }, given)
