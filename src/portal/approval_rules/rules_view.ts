/** The approval rules of a project as a list. */
import type { Context } from '../../platform/kernel/context.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listProjectRules } from '../../review/approvals/rules/endpoints.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'

/** Rules that are listed. */
const MOST = 100

interface Rule {
  readonly id: number
  readonly name: string
  readonly rule_type: string
  readonly approvals_required: number
  readonly users: readonly { readonly name: string }[]
  readonly groups: readonly { readonly full_name: string }[]
  readonly protected_branches: readonly { readonly name: string }[]
}

/** The rules with links to change them, and one to add another. */
export async function rulesView(ctx: Context & { readonly project: ProjectWithRole }): Promise<Html> {
  const base = projectPath(ctx.project, '/-/settings/merge_requests/approval_rules')
  const { rows } = await answerOf(ctx, listProjectRules, { per_page: MOST })
  return html`${rows.length > 0 ? html`<ul class="list">${(rows as readonly Rule[]).map(rule => ruleItem(rule, base))}</ul>` : html`<p class="muted">There is no rule yet.</p>`}
<p><a class="btn" href="${base}/new">Add an approval rule</a></p>`
}

function ruleItem({ id, name, rule_type, approvals_required, users, groups, protected_branches }: Rule, base: string): Html {
  const named = [...users.map(user => user.name), ...groups.map(({ full_name }) => `members of ${full_name}`)]
  const who = rule_type === 'any_approver' || named.length === 0 ? 'anyone who may approve' : named.join(', ')
  const where = protected_branches.map(branch => branch.name).join(', ')
  return html`<li><div class="main"><div class="title"><a href="${base}/${id}/edit">${name}</a></div><div class="muted small">${approvals_required} ${approvals_required === 1 ? 'approval' : 'approvals'} by ${who}${where !== '' && html`, for ${where}`}</div></div></li>`
}
