/** Approval rules as JSON (merge request approvals API at 14.0). */

import Type from 'typebox'
import { ProtectedBranch } from '../../../code/protected_branches/entity.ts'
import { protectedBranchesById } from '../../../code/protected_branches/queries.ts'
import { presentSummary, summaryFields } from '../../../identity/users/entity.ts'
import type { SummaryRow } from '../../../identity/users/queries.ts'
import { usersById } from '../../../identity/users/queries.ts'
import { groupVisibleTo } from '../../../platform/access/visible.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../../platform/kernel/context.ts'
import { described, flag, integer, Nullable, text } from '../../../platform/kernel/declaration/types.ts'
import { Group } from '../../../spaces/groups/entity.ts'
import { type GroupRow, groups } from '../../../spaces/groups/queries.ts'
import { requireOwnersById } from '../code_owners.ts'
import { type ApprovalRuleRow, byRule, namedIn } from './queries.ts'

const User = Type.Object(summaryFields)

export const ruleFields = {
  id: Nullable(integer('ID of the rule; null where only a number of approvals is required')),
  name: text('Name of the rule'),
  rule_type: text('Kind of the rule: `regular`, `any_approver`, `code_owner` or `report_approver`'),
  eligible_approvers: described('Users whose approval counts', Type.Array(User)),
  approvals_required: integer('Number of approvals that are required'),
  users: described('Users who may approve', Type.Array(User)),
  groups: described('Groups whose members may approve', Type.Array(Group.schema)),
  // Contract: true if the rule names groups that the reader may not see; those groups are left out.
  contains_hidden_groups: flag('Whether groups that the caller may not see belong to the rule'),
}

/** Loads what rules show besides their rows. */
export async function loadRules({ db, actor }: Context, rows: readonly ApprovalRuleRow[]) {
  const named = await namedIn(
    db,
    rows.map(row => row.id),
  )
  const groupIds = [...new Set(rows.flatMap(row => row.group_ids))]
  const visible: GroupRow[] =
    groupIds.length === 0 ? [] : await groups(db).where('namespaces.id', '=', anyOf(groupIds)).where(groupVisibleTo(actor)).execute()
  const shown = new Map(visible.map(group => [group.id, group]))
  return {
    /** Without those whom a rule names by hidden groups alone: they would show who is in these. */
    named: byRule(named.filter(({ group_id }) => group_id === null || shown.has(group_id))),
    users: await usersById(db, [...new Set(named.map(({ user_id }) => user_id))]),
    groups: shown,
  }
}

export type LoadedRules = Awaited<ReturnType<typeof loadRules>>

/** Users by id, in the given order. */
export const presentUsers = (ids: readonly number[], users: ReadonlyMap<number, SummaryRow>, facts: Facts) =>
  ids.flatMap(id => {
    const user = users.get(id)
    return user ? [presentSummary(user, facts)] : []
  })

/** A rule, with the users who can approve for it; by default all that it names, as far as the reader may see its groups. */
export function presentRule(row: ApprovalRuleRow, loaded: LoadedRules, facts: Facts, eligible = loaded.named.get(row.id) ?? []) {
  const shown = row.group_ids.flatMap(id => loaded.groups.get(id) ?? [])
  return {
    id: row.id,
    name: row.name,
    rule_type: row.rule_type,
    eligible_approvers: presentUsers(eligible, loaded.users, facts),
    approvals_required: row.approvals_required,
    users: presentUsers(row.user_ids, loaded.users, facts),
    groups: shown.map(group => Group.present(group, undefined, facts)),
    contains_hidden_groups: shown.length < row.group_ids.length,
  }
}

/** A rule of a project. */
export const ProjectApprovalRule = entity({
  name: 'ProjectApprovalRule',
  schema: Type.Object({
    ...ruleFields,
    protected_branches: described('Protected branches that the rule is for; empty: all', Type.Array(ProtectedBranch.schema)),
  }),
  async load(ctx: Context, rows: readonly ApprovalRuleRow[]) {
    const branches = await protectedBranchesById(ctx.db, [...new Set(rows.flatMap(row => row.protected_branch_ids))])
    return { rules: await loadRules(ctx, rows), branches, levels: await ProtectedBranch.load!(ctx, [...branches.values()]) }
  },
  present: (row: ApprovalRuleRow, { rules, branches, levels }, facts) => ({
    ...presentRule(row, rules, facts),
    protected_branches: row.protected_branch_ids.flatMap(id => {
      const branch = branches.get(id)
      return branch ? [ProtectedBranch.present(branch, levels, facts)] : []
    }),
  }),
})

const SourceRule = Nullable(Type.Object({ approvals_required: integer('Number of approvals that are required') }))

export const ofMergeRequest = {
  source_rule: described("The project's rule that it comes from; null where it is its own", SourceRule),
  overridden: flag("Whether the rule differs from the project's"),
}

/** The project rules that merge request rules override, by id. */
export async function sourcesOf({ db }: Context, rows: readonly ApprovalRuleRow[]): Promise<Map<number, { approvals_required: number }>> {
  const ids = [...new Set(rows.flatMap(row => row.source_rule_id ?? []))]
  if (ids.length === 0) return new Map()
  const found = await db.selectFrom('approval_rules').select(['id', 'approvals_required']).where('id', '=', anyOf(ids)).execute()
  return new Map(found.map(row => [row.id, { approvals_required: row.approvals_required }]))
}

/** The field of a merge request rule that describes the project rule it overrides. */
export function presentSource(row: ApprovalRuleRow, sources: ReadonlyMap<number, { approvals_required: number }>) {
  const source = row.source_rule_id === null ? undefined : sources.get(row.source_rule_id)
  return { source_rule: source ?? null, overridden: source !== undefined && source.approvals_required !== row.approvals_required }
}

/** A rule that applies to a merge request. */
export const MergeRequestApprovalRule = entity({
  name: 'MergeRequestApprovalRule',
  schema: Type.Object({ ...ruleFields, ...ofMergeRequest }),
  load: async (ctx: Context, rows: readonly ApprovalRuleRow[]) => ({
    rules: await loadRules(ctx, rows),
    sources: await sourcesOf(ctx, rows),
    owners: await requireOwnersById(
      ctx.db,
      rows.flatMap(row => (row.rule_type === 'code_owner' ? (row.merge_request_id ?? []) : [])),
    ),
  }),
  present: (row: ApprovalRuleRow, { rules, sources, owners }, facts) => {
    const isOptional = row.rule_type === 'code_owner' && !owners.has(row.merge_request_id ?? 0)
    return { ...presentRule(row, rules, facts), ...(isOptional && { approvals_required: 0 }), ...presentSource(row, sources) }
  },
})
