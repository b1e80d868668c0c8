/** The fields of an approval rule, of a project or of one merge request. */
import { usersById } from '../../identity/users/queries.ts'
import { roles } from '../../platform/access/abilities.ts'
import { groupVisibleTo } from '../../platform/access/visible.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import type { ApprovalRuleRow } from '../../review/approvals/rules/queries.ts'
import { groups, groupsMatching } from '../../spaces/groups/queries.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { memberChoices, moreOf } from '../issues/choices.ts'

/** Groups that are offered. */
const MOST_GROUPS = 200

/** The fields that both kinds of rules have. `rule`: the one that is changed. */
export async function ruleFields(ctx: Context, project: ProjectWithRole, rule?: ApprovalRuleRow): Promise<readonly FieldSpec[]> {
  const chosen = [...(await usersById(ctx.db, [...(rule?.user_ids ?? [])])).values()]
  return [
    { name: 'name', label: 'Name', hint: 'What the approval is for, such as `Security`.', autofocus: true },
    { name: 'approvals_required', label: 'Approvals needed', hint: '' },
    {
      name: 'user_ids',
      label: 'Who can approve',
      control: 'checkboxes',
      hint: 'Nobody chosen, and no group: anyone who may approve.',
      ...moreOf(ctx, await memberChoices(ctx, project, chosen)),
    },
    ...(await groupField(ctx, rule)),
  ]
}

/** Groups of the caller. Not shown where the rule names others, which the caller does not see and would take out by saving. */
async function groupField({ db, actor }: Context, rule: ApprovalRuleRow | undefined): Promise<readonly FieldSpec[]> {
  const ids = rule?.group_ids ?? []
  const named = ids.length === 0 ? [] : await groups(db).where('namespaces.id', '=', anyOf(ids)).where(groupVisibleTo(actor)).execute()
  if (named.length < ids.length) return []
  const own = await groupsMatching(db, actor, { min_access_level: roles.guest }).limit(MOST_GROUPS).execute()
  const choices = [...new Map([...named, ...own].map(group => [group.id, group])).values()]
  if (choices.length === 0) return []
  return [
    {
      name: 'group_ids',
      label: 'Groups whose members can approve',
      control: 'checkboxes',
      hint: 'Those of them who may approve in the project.',
      choices: choices.map(({ id, full_name, full_path }) => [String(id), full_name, full_path] as const),
    },
  ]
}
