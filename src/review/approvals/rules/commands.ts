/** Creating, changing and deleting approval rules (merge request approvals API at 14.0). */

import { sql } from 'kysely'
import { isCurrentMembership } from '../../../platform/access/memberships.ts'
import { groupVisibleTo } from '../../../platform/access/visible.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { uniqueViolation } from '../../../platform/db/errors.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { changesBetween } from '../../../platform/events/audit/changes.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden, invalid, notFound } from '../../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { type ApprovalRuleRow, type RulesOwner, ruleOf } from './queries.ts'

/** Attributes of a rule. */
export interface RuleAttributes {
  readonly name?: string | undefined
  readonly approvals_required?: number | undefined
  readonly user_ids?: readonly number[] | undefined
  readonly group_ids?: readonly number[] | undefined
  readonly protected_branch_ids?: readonly number[] | undefined
}

export interface NewRule extends RuleAttributes {
  readonly name: string
  readonly approvals_required: number
  readonly rule_type?: 'any_approver' | 'regular' | undefined
  /** The project rule that this merge request rule overrides. */
  readonly approval_project_rule_id?: number | undefined
}

/** Creates a rule; 400 for a name that is taken, or a second `any_approver` rule. */
export async function createRule(ctx: Context, project: ProjectWithRole, owner: RulesOwner, given: NewRule): Promise<ApprovalRuleRow> {
  const { db, now } = ctx
  const source = given.approval_project_rule_id === undefined ? undefined : await sourceRule(db, project, given.approval_project_rule_id)
  const users = await membersAmong(db, project, given.user_ids ?? source?.user_ids ?? [])
  const groups = given.group_ids ?? source?.group_ids ?? []
  const rule_type = given.rule_type ?? (source ? source.rule_type : 'regular')
  const { id } = await db
    .insertInto('approval_rules')
    .values({
      ...owner,
      source_rule_id: source?.id ?? null,
      name: (source?.name ?? given.name).trim(),
      rule_type,
      approvals_required: given.approvals_required,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(rethrowTaken)
  await setUsers(db, id, users)
  await setGroups(ctx, id, groups, source?.group_ids ?? [])
  if ('project_id' in owner) await setBranches(db, project.id, id, given.protected_branch_ids ?? [])
  const made = (await ruleOf(db, owner, id)) as ApprovalRuleRow
  const { name, approvals_required } = made
  await recordEvent(ctx, { kind: 'approval_rule.created', payload: { id, name, approvals_required }, projectId: project.id })
  return made
}

/** 403 for a rule that people did not write: one of code owners follows from the CODEOWNERS file. */
function assertIsWritten({ rule_type }: ApprovalRuleRow): void {
  if (rule_type !== 'regular' && rule_type !== 'any_approver') throw forbidden()
}

/** Changes a rule; 403 for one that comes from a file. */
export async function updateRule(ctx: Context, project: ProjectWithRole, owner: RulesOwner, rule: ApprovalRuleRow, given: RuleAttributes) {
  const { db, now } = ctx
  assertIsWritten(rule)
  await db
    .updateTable('approval_rules')
    .set({
      updated_at: now,
      ...(given.name === undefined ? {} : { name: given.name.trim() }),
      ...(given.approvals_required === undefined ? {} : { approvals_required: given.approvals_required }),
    })
    .where('id', '=', rule.id)
    .execute()
    .catch(rethrowTaken)
  if (given.user_ids) await setUsers(db, rule.id, await membersAmong(db, project, given.user_ids))
  if (given.group_ids) await setGroups(ctx, rule.id, given.group_ids, rule.group_ids)
  if (given.protected_branch_ids && 'project_id' in owner) await setBranches(db, project.id, rule.id, given.protected_branch_ids)
  const updated = (await ruleOf(db, owner, rule.id)) as ApprovalRuleRow
  const changes = changesBetween(rule, updated, ['name', 'approvals_required', 'user_ids', 'group_ids', 'protected_branch_ids'])
  await recordEvent(ctx, { kind: 'approval_rule.updated', payload: { id: rule.id, name: rule.name, changes }, projectId: project.id })
  return updated
}

/** Deletes a rule; 403 for one that comes from a file. */
export async function removeRule(ctx: Context, project: { readonly id: number }, rule: ApprovalRuleRow): Promise<void> {
  assertIsWritten(rule)
  await ctx.db.deleteFrom('approval_rules').where('id', '=', rule.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'approval_rule.deleted', payload: { id: rule.id, name: rule.name }, projectId: project.id })
}

async function sourceRule(db: Db, project: ProjectWithRole, id: number): Promise<ApprovalRuleRow> {
  const source = await ruleOf(db, { project_id: project.id }, id)
  if (!source) throw notFound('Approval Rule')
  return source
}

function rethrowTaken(error: unknown): never {
  const key = uniqueViolation(error)
  if (key === 'approval_rules_project_name_key' || key === 'approval_rules_merge_request_name_key')
    throw invalid({ name: ['has already been taken'] })
  if (key === 'approval_rules_any_key' || key === 'approval_rules_any_of_merge_request_key')
    throw invalid({ rule_type: ['any-approver for the project already exists'] })
  throw error
}

/** Contract: users who are not members are silently ignored (merge request approvals API). */
async function membersAmong(db: Db, project: ProjectWithRole, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select u.id from users u
     where u.id = any(${ids}::bigint[]) and u.state = 'active'
       and (u.id = ${project.namespace_owner_id}::bigint or exists (
         select from memberships m where m.user_id = u.id and ${isCurrentMembership()}
            and (m.project_id = ${project.id} or m.namespace_id = any(${project.namespace_traversal_ids}::bigint[]))))`.execute(db)
  return rows.map(row => row.id)
}

async function setUsers(db: Db, id: number, userIds: readonly number[]): Promise<void> {
  await db.deleteFrom('approval_rule_users').where('approval_rule_id', '=', id).execute()
  if (userIds.length > 0)
    await db
      .insertInto('approval_rule_users')
      .values([...new Set(userIds)].map(user_id => ({ approval_rule_id: id, user_id })))
      .execute()
}

/**
 * Groups that do not exist, or that the caller may not see, are silently ignored, like users who are not members: who approves by a rule is shown.
 * @param known groups that the project has named already
 */
async function setGroups({ db, actor }: Context, id: number, groupIds: readonly number[], known: readonly number[]): Promise<void> {
  await db.deleteFrom('approval_rule_groups').where('approval_rule_id', '=', id).execute()
  if (groupIds.length === 0) return
  const named = await db
    .selectFrom('namespaces')
    .select('id')
    .where('id', '=', anyOf([...new Set(groupIds)]))
    .where('kind', '=', 'group')
    .where(sql<boolean>`(${groupVisibleTo(actor)} or namespaces.id = any(${known}::bigint[]))`)
    .execute()
  if (named.length > 0)
    await db
      .insertInto('approval_rule_groups')
      .values(named.map(group => ({ approval_rule_id: id, group_id: group.id })))
      .execute()
}

async function setBranches(db: Db, projectId: number, id: number, branchIds: readonly number[]): Promise<void> {
  await db.deleteFrom('approval_rule_branches').where('approval_rule_id', '=', id).execute()
  if (branchIds.length === 0) return
  const known = await db
    .selectFrom('protected_branches')
    .select('id')
    .where('id', '=', anyOf([...new Set(branchIds)]))
    .where('project_id', '=', projectId)
    .execute()
  if (known.length < new Set(branchIds).size) throw invalid({ protected_branches: ['must exist in the project'] })
  await db
    .insertInto('approval_rule_branches')
    .values(known.map(branch => ({ approval_rule_id: id, protected_branch_id: branch.id })))
    .execute()
}
