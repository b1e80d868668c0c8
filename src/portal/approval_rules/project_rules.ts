/** The approval rules of a project: forms that add, change and remove them. */
import { protectedBranchesMatching } from '../../code/protected_branches/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { createProjectRule, deleteProjectRule, updateProjectRule } from '../../review/approvals/rules/endpoints.ts'
import { type ApprovalRuleRow, ruleOf } from '../../review/approvals/rules/queries.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { settingsPlaceOf } from '../place_settings/place.ts'
import { ruleFields } from './fields.ts'

const PATH = '/:project_path/-/settings/merge_requests/approval_rules'

/** Protected branches that are offered. */
const MOST_BRANCHES = 200

interface InProject {
  readonly project: ProjectWithRole
}

type InRule = InProject & { readonly rule: ApprovalRuleRow }

/** `:approval_rule_id` becomes a rule of the project, or 404. */
const inRulePage = within(inProjectPage, {
  name: 'inProjectRulePage',
  path: { approval_rule_id: integer('ID of an approval rule') },
  async load({ db, project }, { approval_rule_id }) {
    const rule = await ruleOf(db, { project_id: project.id }, approval_rule_id)
    if (!rule) throw notFound()
    return { rule }
  },
})

const back = ({ project }: InProject): string => projectPath(project, '/-/settings/merge_requests#approval_rules')

const placed = (ctx: Context & InProject, title: string) => ({ title, place: settingsPlaceOf(ctx, 'merge_requests') })

async function branchField({ db, project }: Context & InProject): Promise<readonly FieldSpec[]> {
  const branches = await protectedBranchesMatching(db, project.id, undefined).limit(MOST_BRANCHES).execute()
  if (branches.length === 0) return []
  return [
    {
      name: 'protected_branch_ids',
      label: 'Protected branches that it holds for',
      control: 'checkboxes',
      hint: 'None chosen: it holds for merge requests to all branches.',
      choices: branches.map(({ id, name }) => [String(id), name] as const),
    },
  ]
}

const made = form<InProject>({
  path: `${PATH}/new`,
  summary: 'Add an approval rule to a project',
  scope: inProjectPage,
  of: createProjectRule,
  fields: async ctx => [
    ...(await ruleFields(ctx, ctx.project)),
    {
      name: 'rule_type',
      label: 'Whose approval counts',
      control: 'radio',
      choices: [
        ['regular', 'Those who are chosen'],
        ['any_approver', 'Anyone who may approve', 'A project has at most one such rule.'],
      ],
      hint: '',
    },
    ...(await branchField(ctx)),
  ],
  values: () => ({ approvals_required: 1, rule_type: 'regular' }),
  next: back,
  cancel: back,
  notice: 'The rule was added.',
  button: 'Add the rule',
  frame: ctx => placed(ctx, 'New approval rule'),
})

const changed = form<InRule>({
  path: `${PATH}/:approval_rule_id/edit`,
  summary: 'Change an approval rule of a project',
  scope: inRulePage,
  of: updateProjectRule,
  fields: async ctx => [...(await ruleFields(ctx, ctx.project, ctx.rule)), ...(await branchField(ctx))],
  values: ({ rule: { name, approvals_required, user_ids, group_ids, protected_branch_ids } }) => ({
    name,
    approvals_required,
    user_ids,
    group_ids,
    protected_branch_ids,
  }),
  after: ctx =>
    actionButton(ctx, {
      to: projectPath(ctx.project, `/-/settings/merge_requests/approval_rules/${ctx.rule.id}/delete`),
      face: 'Remove the rule',
      look: 'danger',
      asks: `Remove the rule ${ctx.rule.name}?`,
    }),
  next: back,
  cancel: back,
  notice: 'The rule was changed.',
  button: 'Save',
  frame: ctx => placed(ctx, 'Approval rule'),
})

export const projectRules = {
  showNewRule: made.show,
  addRule: made.submit,
  showRule: changed.show,
  changeRule: changed.submit,
  removeRule: action<InRule>({
    route: `POST ${PATH}/:approval_rule_id/delete`,
    of: deleteProjectRule,
    scope: inRulePage,
    next: back,
    notice: 'The rule was removed.',
  }),
}
