import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { inMergeRequest } from '../merge_requests/scope.ts'
import { ruleOf } from './rules/queries.ts'

const approval_rule_id = integer('ID of an approval rule')

/** `:approval_rule_id` is resolved to a rule of the project, or 404. */
export const inProjectApprovalRule = within(inProject, {
  name: 'inProjectApprovalRule',
  path: { approval_rule_id },
  async load({ db, project }, { approval_rule_id }) {
    const rule = await ruleOf(db, { project_id: project.id }, approval_rule_id)
    if (!rule) throw notFound()
    return { rule }
  },
  modifiedAt: ({ rule }) => rule.updated_at,
})

/** `:approval_rule_id` is resolved to a rule of the merge request itself, or 404. */
export const inMergeRequestApprovalRule = within(inMergeRequest, {
  name: 'inMergeRequestApprovalRule',
  path: { approval_rule_id },
  async load({ db, mergeRequest }, { approval_rule_id }) {
    const rule = await ruleOf(db, { merge_request_id: mergeRequest.id }, approval_rule_id)
    if (!rule) throw notFound()
    return { rule }
  },
  modifiedAt: ({ rule }) => rule.updated_at,
})

/** Contract: 403 where the project does not allow merge requests to have their own rules (merge request approvals API). */
export function assertRulesAreEditable(project: { readonly disable_overriding_approvers_per_merge_request: boolean }): void {
  if (project.disable_overriding_approvers_per_merge_request) throw forbidden()
}
