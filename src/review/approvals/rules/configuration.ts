/** The approval settings of a project as JSON (merge request approvals API at 14.0). */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { described, flag, integer } from '../../../platform/kernel/declaration/types.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'

export const ApprovalConfiguration = entity({
  name: 'ProjectApprovalConfiguration',
  schema: Type.Object({
    // Contract: users and groups that rules name appear in the rules; these older lists stay empty.
    approvers: described('Deprecated; always empty', Type.Array(Type.Unknown())),
    approver_groups: described('Deprecated; always empty', Type.Array(Type.Unknown())),
    approvals_before_merge: integer('Number of approvals that are required; null: as the project says'),
    reset_approvals_on_push: flag('Whether a push removes the approvals'),
    disable_overriding_approvers_per_merge_request: flag('Whether merge requests are kept from having rules of their own'),
    merge_requests_author_approval: flag('Whether authors may approve their own merge requests'),
    merge_requests_disable_committers_approval: flag('Whether committers cannot approve'),
    require_password_to_approve: flag('Whether approving asks for the password'),
  }),
  present: (project: ProjectRow) => ({
    approvers: [],
    approver_groups: [],
    approvals_before_merge: project.approvals_before_merge,
    reset_approvals_on_push: project.reset_approvals_on_push,
    disable_overriding_approvers_per_merge_request: project.disable_overriding_approvers_per_merge_request,
    merge_requests_author_approval: project.merge_requests_author_approval,
    merge_requests_disable_committers_approval: project.merge_requests_disable_committers_approval,
    require_password_to_approve: project.require_password_to_approve,
  }),
})
