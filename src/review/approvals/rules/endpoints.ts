/** Approval rules of projects and of merge requests, and the approval settings of projects (merge request approvals API at 14.0). */
import Type, { type TProperties } from 'typebox'
import { endpoint, nothing, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { CommaList, flag, integer, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { atLeastOne } from '../../../platform/kernel/request/params.ts'
import { setApprovalSettings } from '../../../spaces/projects/attributes/approval_settings.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import { inMergeRequest } from '../../merge_requests/scope.ts'
import { approvalFacts } from '../facts.ts'
import { assertRulesAreEditable, inMergeRequestApprovalRule, inProjectApprovalRule } from '../scope.ts'
import { createRule, removeRule, updateRule } from './commands.ts'
import { ApprovalConfiguration } from './configuration.ts'
import { MergeRequestApprovalRule, ProjectApprovalRule } from './entity.ts'
import { rulesApplying, rulesOf } from './queries.ts'

const MOST_APPROVALS = 100
const MOST_NAMED = 100

const Ids = (description: string) => Type.Optional(CommaList(Type.Integer(), { maxItems: MOST_NAMED, description }))
const Required = integer('How many must approve', { minimum: 0, maximum: MOST_APPROVALS, examples: [1] })
const Name = text('Name of the rule', { minLength: 1, maxLength: 255, examples: ['Security'] })

const named = {
  user_ids: Ids('Users who can approve for the rule'),
  group_ids: Ids('Groups whose members can'),
} satisfies TProperties
const protected_branch_ids = Ids('Protected branches that the rule holds for; all branches unless given')
const changes = { name: Type.Optional(Name), approvals_required: Type.Optional(Required), ...named }

export const getApprovalConfiguration = endpoint({
  route: 'GET /projects/:id/approvals',
  summary: 'Get the approval settings of a project',
  scope: inProject,
  can: 'admin_project',
  tier: 'premium',
  answers: one(ApprovalConfiguration),
  run: ({ project }) => project,
})

const optionalFlag = (description: string) => optional(flag(description))
const configuration = {
  approvals_before_merge: Type.Optional(Required),
  reset_approvals_on_push: optionalFlag('New commits take approvals back'),
  disable_overriding_approvers_per_merge_request: optionalFlag('Merge requests have no rules of their own'),
  merge_requests_author_approval: optionalFlag('Authors may approve'),
  merge_requests_disable_committers_approval: optionalFlag('Those who committed may not approve'),
  require_password_to_approve: optionalFlag('Approving takes the own password'),
} satisfies TProperties

export const setApprovalConfiguration = endpoint({
  route: 'POST /projects/:id/approvals',
  summary: 'Change the approval settings of a project',
  scope: inProject,
  can: 'admin_project',
  tier: 'premium',
  params: configuration,
  rules: [atLeastOne('approvals_before_merge', 'reset_approvals_on_push', ...Object.keys(configuration).slice(2))],
  answers: one(ApprovalConfiguration),
  run: ctx => setApprovalSettings(ctx, ctx.project, ctx.params),
})

export const listProjectRules = endpoint({
  route: 'GET /projects/:id/approval_rules',
  summary: 'List the approval rules of a project',
  scope: inProject,
  can: 'read_approval_rules',
  tier: 'premium',
  answers: pageOf(ProjectApprovalRule),
  run: ({ db, project }) => rulesOf(db, { project_id: project.id }),
})

export const getProjectRule = endpoint({
  route: 'GET /projects/:id/approval_rules/:approval_rule_id',
  summary: 'Get an approval rule of a project',
  scope: inProjectApprovalRule,
  can: 'read_approval_rules',
  tier: 'premium',
  answers: one(ProjectApprovalRule),
  run: ({ rule }) => rule,
})

export const createProjectRule = endpoint({
  route: 'POST /projects/:id/approval_rules',
  summary: 'Create an approval rule for all merge requests of a project',
  scope: inProject,
  can: 'admin_project',
  tier: 'premium',
  params: {
    name: Name,
    approvals_required: Required,
    rule_type: Type.Optional(OneOf(['any_approver', 'regular'], { description: '`any_approver`: every user who may approve counts' })),
    ...named,
    protected_branch_ids,
  },
  answers: one(ProjectApprovalRule),
  run: ctx => createRule(ctx, ctx.project, { project_id: ctx.project.id }, ctx.params),
})

export const updateProjectRule = endpoint({
  route: 'PUT /projects/:id/approval_rules/:approval_rule_id',
  summary: 'Change an approval rule of a project',
  scope: inProjectApprovalRule,
  can: 'admin_project',
  tier: 'premium',
  params: { ...changes, protected_branch_ids },
  answers: one(ProjectApprovalRule),
  run: ctx => updateRule(ctx, ctx.project, { project_id: ctx.project.id }, ctx.rule, ctx.params),
})

export const deleteProjectRule = endpoint({
  route: 'DELETE /projects/:id/approval_rules/:approval_rule_id',
  summary: 'Delete an approval rule of a project',
  scope: inProjectApprovalRule,
  can: 'admin_project',
  tier: 'premium',
  answers: nothing,
  run: ctx => removeRule(ctx, ctx.project, ctx.rule),
})

const path = '/projects/:id/merge_requests/:merge_request_iid/approval_rules' as const

export const listMergeRequestRules = endpoint({
  route: `GET ${path}`,
  summary: 'List the approval rules that apply to a merge request',
  scope: inMergeRequest,
  can: 'read_merge_request',
  tier: 'premium',
  answers: pageOf(MergeRequestApprovalRule),
  async run({ db, tier, mergeRequest }) {
    // The project's rules apply unless the merge request has its own.
    const { overwritten } = (await approvalFacts(db, tier, [mergeRequest])).get(mergeRequest.id)!
    return rulesApplying(db, mergeRequest, overwritten)
  },
})

export const getMergeRequestRule = endpoint({
  route: `GET ${path}/:approval_rule_id`,
  summary: 'Get an approval rule of a merge request itself',
  scope: inMergeRequestApprovalRule,
  can: 'read_merge_request',
  tier: 'premium',
  answers: one(MergeRequestApprovalRule),
  run: ({ rule }) => rule,
})

export const createMergeRequestRule = endpoint({
  route: `POST ${path}`,
  summary: 'Create an approval rule for one merge request',
  scope: inMergeRequest,
  can: 'update_merge_request',
  tier: 'premium',
  params: {
    name: Name,
    approvals_required: Required,
    approval_project_rule_id: optional(integer('The project rule that it overrides')),
    ...named,
  },
  answers: one(MergeRequestApprovalRule),
  run(ctx) {
    assertRulesAreEditable(ctx.project)
    return createRule(ctx, ctx.project, { merge_request_id: ctx.mergeRequest.id }, ctx.params)
  },
})

export const updateMergeRequestRule = endpoint({
  route: `PUT ${path}/:approval_rule_id`,
  summary: 'Change an approval rule of a merge request',
  scope: inMergeRequestApprovalRule,
  can: 'update_merge_request',
  tier: 'premium',
  params: changes,
  answers: one(MergeRequestApprovalRule),
  run(ctx) {
    assertRulesAreEditable(ctx.project)
    return updateRule(ctx, ctx.project, { merge_request_id: ctx.mergeRequest.id }, ctx.rule, ctx.params)
  },
})

export const deleteMergeRequestRule = endpoint({
  route: `DELETE ${path}/:approval_rule_id`,
  summary: 'Delete an approval rule of a merge request',
  scope: inMergeRequestApprovalRule,
  can: 'update_merge_request',
  tier: 'premium',
  answers: nothing,
  run(ctx) {
    assertRulesAreEditable(ctx.project)
    return removeRule(ctx, ctx.project, ctx.rule)
  },
})
