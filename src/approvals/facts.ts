/** The rules that hold for a page of merge requests, and who has approved: a fixed number of statements. */
import { sql } from 'kysely'
import { roles } from '../access/abilities.ts'
import { anyOf } from '../db/any.ts'
import type { Db } from '../db/connection.ts'
import type { Facts } from '../kernel/context.ts'
import { tierCovers } from '../kernel/types.ts'
import { effectiveApprovals } from '../merge_requests/approvals_required.ts'
import type { MergeRequestRow } from '../merge_requests/queries.ts'
import { fitsName } from '../protected_branches/branch_rights.ts'
import { type ApprovalRuleRow, approvalRules, namedBy, protectedNames } from './rules/queries.ts'
import type { AppliedRule } from './state.ts'

/** A rule of a project or merge request, applied. */
export interface Applied extends AppliedRule {
  /** Undefined for a number without a rule. */
  readonly row: ApprovalRuleRow | undefined
}

/** What of a project it depends on who must approve, and who can. */
interface Settings {
  readonly approvals_before_merge: number
  readonly disable_overriding_approvers_per_merge_request: boolean
  readonly merge_requests_author_approval: boolean
  readonly merge_requests_disable_committers_approval: boolean
  readonly require_password_to_approve: boolean
  readonly reset_approvals_on_push: boolean
}

/** What is known of the approval of one merge request. */
export interface ApprovalFacts {
  readonly settings: Settings
  readonly rules: readonly Applied[]
  /** The merge request has rules of its own, in place of the project's. */
  readonly overwritten: boolean
  /** In the order of their approvals. */
  readonly approved_by: readonly number[]
}

type Asked = Pick<MergeRequestRow, 'id' | 'project_id' | 'target_branch' | 'author_id' | 'approvals_before_merge'>

/** The approval facts of merge requests by id: six statements at most. Rules are premium: without it nobody must approve. */
export async function approvalFacts(db: Db, tier: Facts['tier'], rows: readonly Asked[]): Promise<Map<number, ApprovalFacts>> {
  if (rows.length === 0) return new Map()
  const approvals = await approvalsOf(
    db,
    rows.map(row => row.id),
  )
  const settings = await settingsOf(db, [...new Set(rows.map(row => row.project_id))])
  const hasRules = tierCovers(tier, 'premium')
  const rules = hasRules ? await rulesFor(db, rows) : []
  const named = await namedBy(
    db,
    rules.map(rule => rule.id),
  )
  const members = await membersAble(db, rows, [...new Set([...named.values()].flat())])
  const branches = await protectedNames(db, [...new Set(rules.flatMap(rule => rule.protected_branch_ids))])

  return new Map(
    rows.map(row => {
      const ofProject = settings.get(row.project_id) as Settings
      const own = rules.filter(rule => rule.merge_request_id === row.id)
      const overwritten = own.length > 0 && !ofProject.disable_overriding_approvers_per_merge_request
      const holding = overwritten ? own : rules.filter(rule => rule.project_id === row.project_id && holdsFor(rule, row, branches))
      const able = (id: number) =>
        members.has(`${row.project_id}:${id}`) && (ofProject.merge_requests_author_approval || id !== row.author_id)
      const applied: Applied[] = holding.map(rule => ({
        id: rule.id,
        name: rule.name,
        rule_type: rule.rule_type,
        approvals_required: rule.approvals_required,
        approver_ids: rule.rule_type === 'any_approver' ? undefined : (named.get(rule.id) ?? []).filter(able),
        row: rule,
      }))
      const asked = hasRules ? effectiveApprovals(row, ofProject.approvals_before_merge) : 0
      return [
        row.id,
        {
          settings: ofProject,
          // Contract: the bare number holds where there is no rule (public behaviour at 14.0).
          rules: applied.length > 0 || asked === 0 ? applied : [withoutRule(asked)],
          overwritten,
          approved_by: approvals.get(row.id) ?? [],
        },
      ] as const
    }),
  )
}

/** A number of approvals that anybody can give. */
const withoutRule = (approvals_required: number): Applied => ({
  id: null,
  name: 'All Members',
  rule_type: 'any_approver',
  approvals_required,
  approver_ids: undefined,
  row: undefined,
})

/** A rule of a project holds for all branches, or for those that it names. */
const holdsFor = (rule: ApprovalRuleRow, { target_branch }: Asked, branches: ReadonlyMap<number, string>): boolean =>
  rule.protected_branch_ids.length === 0 || rule.protected_branch_ids.some(id => fitsName(branches.get(id) ?? '', target_branch))

/** Who has approved, by merge request. */
async function approvalsOf(db: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('approvals')
    .select(['merge_request_id', 'user_id'])
    .where('merge_request_id', '=', anyOf(ids))
    .orderBy('created_at')
    .orderBy('user_id')
    .execute()
  const approved = new Map<number, number[]>()
  for (const row of rows) approved.set(row.merge_request_id, [...(approved.get(row.merge_request_id) ?? []), row.user_id])
  return approved
}

async function settingsOf(db: Db, projectIds: readonly number[]): Promise<Map<number, Settings>> {
  const rows = await db
    .selectFrom('projects')
    .select([
      'id',
      'approvals_before_merge',
      'disable_overriding_approvers_per_merge_request',
      'merge_requests_author_approval',
      'merge_requests_disable_committers_approval',
      'require_password_to_approve',
      'reset_approvals_on_push',
    ])
    .where('id', '=', anyOf(projectIds))
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

const rulesFor = (db: Db, rows: readonly Asked[]): Promise<ApprovalRuleRow[]> =>
  approvalRules(db)
    .where(({ or, eb }) =>
      or([
        eb('approval_rules.project_id', '=', anyOf([...new Set(rows.map(row => row.project_id))])),
        eb('approval_rules.merge_request_id', '=', anyOf(rows.map(row => row.id))),
      ]),
    )
    .execute()

/**
 * Which of these people can approve in which of the projects, as `project:user`: members from Reporter on, whom a rule names, where
 * others need to be Developers.
 */
async function membersAble(db: Db, rows: readonly Asked[], userIds: readonly number[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const { rows: members } = await sql<{ project_id: number; user_id: number }>`
    select p.id as project_id, u.id as user_id
      from projects p join namespaces n on n.id = p.namespace_id cross join users u
     where p.id = any(${[...new Set(rows.map(row => row.project_id))]}::bigint[]) and u.id = any(${userIds}::bigint[]) and u.state = 'active'
       and (n.owner_id = u.id or exists (
         select from memberships m
          where m.user_id = u.id and m.access_level >= ${roles.reporter} and (m.expires_at is null or m.expires_at > current_date)
            and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))))`.execute(db)
  return new Set(members.map(({ project_id, user_id }) => `${project_id}:${user_id}`))
}
