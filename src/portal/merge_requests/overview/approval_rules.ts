/** Approval rules of one merge request: forms that add, change and remove them. */
import type { Context } from '../../../platform/kernel/context.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { html } from '../../../platform/pages/html.ts'
import { createMergeRequestRule, deleteMergeRequestRule, updateMergeRequestRule } from '../../../review/approvals/rules/endpoints.ts'
import { type ApprovalRuleRow, ruleOf } from '../../../review/approvals/rules/queries.ts'
import type { MergeRequestRow } from '../../../review/merge_requests/queries.ts'
import { projectPlace } from '../../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { ruleFields } from '../../approval_rules/fields.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../scope.ts'

interface InOne {
  readonly project: ProjectWithRole
  readonly mergeRequest: MergeRequestRow
}

/** `:approval_rule_id` becomes a rule of the merge request itself that people wrote, or 404. */
const inRulePage = within(inMergeRequestPage, {
  name: 'inMergeRequestRulePage',
  path: { approval_rule_id: integer('ID of an approval rule') },
  async load({ db, mergeRequest }, { approval_rule_id }) {
    const rule = await ruleOf(db, { merge_request_id: mergeRequest.id }, approval_rule_id)
    if (!rule || rule.rule_type === 'code_owner') throw notFound()
    return { rule }
  },
})

const frameOf = ({ actor, project, mergeRequest }: Context & InOne, title: string) => ({
  title: `${title} of !${mergeRequest.iid}`,
  place: projectPlace(actor, project, 'merge_requests'),
})

const made = form<InOne>({
  path: `${MERGE_REQUEST}/approval_rules/new`,
  summary: 'Add an approval rule to a merge request',
  scope: inMergeRequestPage,
  of: createMergeRequestRule,
  fields: ({ project, ...ctx }) => ruleFields({ ...ctx }, project),
  values: () => ({ approvals_required: 1 }),
  before: () => html`<p class="muted">Rules of a merge request take the place of its project’s.</p>`,
  next: ctx => mergeRequestPath(ctx),
  cancel: mergeRequestPath,
  notice: 'The rule was added.',
  button: 'Add the rule',
  frame: ctx => frameOf(ctx, 'New approval rule'),
})

const changed = form<InOne & { readonly rule: ApprovalRuleRow }>({
  path: `${MERGE_REQUEST}/approval_rules/:approval_rule_id/edit`,
  summary: 'Change an approval rule of a merge request',
  scope: inRulePage,
  of: updateMergeRequestRule,
  fields: ({ project, rule, ...ctx }) => ruleFields({ ...ctx }, project, rule),
  values: ({ rule: { name, approvals_required, user_ids, group_ids } }) => ({ name, approvals_required, user_ids, group_ids }),
  after: ctx =>
    actionButton(ctx, {
      to: mergeRequestPath(ctx, `/approval_rules/${ctx.rule.id}/delete`),
      face: 'Remove the rule',
      look: 'danger',
      asks: `Remove the rule ${ctx.rule.name}?`,
    }),
  next: ctx => mergeRequestPath(ctx),
  cancel: mergeRequestPath,
  notice: 'The rule was changed.',
  button: 'Save',
  frame: ctx => frameOf(ctx, 'Approval rule'),
})

export const mergeRequestRules = {
  showNewRule: made.show,
  addRule: made.submit,
  showRule: changed.show,
  changeRule: changed.submit,
  removeRule: action<InOne & { readonly rule: ApprovalRuleRow }>({
    route: `POST ${MERGE_REQUEST}/approval_rules/:approval_rule_id/delete`,
    of: deleteMergeRequestRule,
    scope: inRulePage,
    next: ctx => mergeRequestPath(ctx),
    notice: 'The rule was removed.',
  }),
}
