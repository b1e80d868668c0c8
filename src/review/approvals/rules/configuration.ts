/** The approval settings of a project as JSON (merge request approvals API at 14.0). */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'

export const ApprovalConfiguration = entity({
  name: 'ProjectApprovalConfiguration',
  schema: Type.Object({
    // Contract: users and groups that rules name appear in the rules; these older lists stay empty.
    approvers: Type.Array(Type.Unknown()),
    approver_groups: Type.Array(Type.Unknown()),
    approvals_before_merge: Type.Integer(),
    reset_approvals_on_push: Type.Boolean(),
    disable_overriding_approvers_per_merge_request: Type.Boolean(),
    merge_requests_author_approval: Type.Boolean(),
    merge_requests_disable_committers_approval: Type.Boolean(),
    require_password_to_approve: Type.Boolean(),
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
