/** Reads of approval rules. */

import { sql } from 'kysely'
import { isCurrentMembership } from '../../../platform/access/memberships.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'

/** The owner of rules: a project, for all of its merge requests, or one merge request. */
export type RulesOwner = { readonly project_id: number } | { readonly merge_request_id: number }

/**
 * Approval rules with the users, groups and protected branches that they name, in order of creation. The `any_approver` rule comes
 * first.
 */
export const approvalRules = (db: Db) =>
  db
    .selectFrom('approval_rules')
    .selectAll('approval_rules')
    .select([
      sql<number[]>`array(select u.user_id from approval_rule_users u where u.approval_rule_id = approval_rules.id order by u.user_id)`.as(
        'user_ids',
      ),
      sql<
        number[]
      >`array(select g.group_id from approval_rule_groups g where g.approval_rule_id = approval_rules.id order by g.group_id)`.as(
        'group_ids',
      ),
      sql<
        number[]
      >`array(select b.protected_branch_id from approval_rule_branches b where b.approval_rule_id = approval_rules.id order by 1)`.as(
        'protected_branch_ids',
      ),
    ])
    .orderBy(sql`approval_rules.rule_type <> 'any_approver'`)
    .orderBy('approval_rules.id')

export type ApprovalRuleRow = Awaited<ReturnType<ReturnType<typeof approvalRules>['executeTakeFirstOrThrow']>>

/** The rules of a project or of a merge request. */
export const rulesOf = (db: Db, owner: RulesOwner) =>
  'project_id' in owner
    ? approvalRules(db).where('approval_rules.project_id', '=', owner.project_id)
    : approvalRules(db).where('approval_rules.merge_request_id', '=', owner.merge_request_id)

/** The rules that apply to a merge request: its own or those of its project, and those of code owners. */
export const rulesApplying = (db: Db, { project_id, id }: { readonly project_id: number; readonly id: number }, areOwn: boolean) =>
  approvalRules(db).where(({ or, eb, and }) => {
    const ofMergeRequest = eb('approval_rules.merge_request_id', '=', id)
    if (areOwn) return ofMergeRequest
    return or([eb('approval_rules.project_id', '=', project_id), and([ofMergeRequest, eb('approval_rules.rule_type', '=', 'code_owner')])])
  })

/** One rule of an owner. */
export const ruleOf = (db: Db, owner: RulesOwner, id: number) => rulesOf(db, owner).where('approval_rules.id', '=', id).executeTakeFirst()

/** A user whom a rule names. */
export interface Named {
  readonly rule_id: number
  readonly user_id: number
  /** The group by which it names them; null where it names the user. */
  readonly group_id: number | null
}

/** The users that rules name, directly or through groups; whether they may approve is not asked here. One statement. */
export async function namedIn(db: Db, ruleIds: readonly number[]): Promise<readonly Named[]> {
  if (ruleIds.length === 0) return []
  const { rows } = await sql<Named>`
    select approval_rule_id as rule_id, user_id, null::bigint as group_id from approval_rule_users where approval_rule_id = any(${ruleIds}::bigint[])
    union
    select g.approval_rule_id, m.user_id, g.group_id
      from approval_rule_groups g join members m on m.namespace_id = g.group_id
     where g.approval_rule_id = any(${ruleIds}::bigint[]) and ${isCurrentMembership()}
     order by 1, 2`.execute(db)
  return rows
}

/** The ids of named users by rule, each once. Pure. */
export function byRule(rows: readonly Named[]): Map<number, number[]> {
  const of = Map.groupBy(rows, ({ rule_id }) => rule_id)
  return new Map([...of].map(([rule, named]) => [rule, [...new Set(named.map(({ user_id }) => user_id))]]))
}

/** The ids of the users that rules name, by rule. */
export const namedBy = async (db: Db, ruleIds: readonly number[]): Promise<Map<number, number[]>> => byRule(await namedIn(db, ruleIds))

/** The names, or patterns, of protected branches by id. */
export async function protectedNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('protected_branches').select(['id', 'name']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row.name]))
}
