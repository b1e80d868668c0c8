/** The rules that apply to a page of merge requests, and their approvers, in a fixed number of statements. */

import { sql } from 'kysely'
import { fitsName } from '../../code/protected_branches/branch_rights.ts'
import { roles } from '../../platform/access/abilities.ts'
import { highestLevel } from '../../platform/access/memberships.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import { effectiveApprovals } from '../merge_requests/details/approvals_required.ts'
import type { MergeRequestRow } from '../merge_requests/queries.ts'
import { requireOwners } from './code_owners.ts'
import { type ApprovalRuleRow, approvalRules, namedBy, protectedNames } from './rules/queries.ts'
import type { AppliedRule } from './state.ts'

/** A rule of a project or merge request, applied to one merge request. */
export interface Applied extends AppliedRule {
  /** Undefined for a bare number of approvals without a rule. */
  readonly row: ApprovalRuleRow | undefined
}

/** The merge conditions of a project, and how far a merge request meets them. One statement for a page. */
const groundsOfIds = compiled((db, ids: readonly number[]) =>
  db
    .selectFrom('merge_requests as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .select([
      'm.id',
      'p.approvals_before_merge',
      'p.disable_overriding_approvers_per_merge_request',
      'p.merge_requests_author_approval',
      'p.merge_requests_disable_committers_approval',
      'p.require_password_to_approve',
      'p.reset_approvals_on_push',
      'p.only_allow_merge_if_pipeline_succeeds',
      'p.allow_merge_on_skipped_pipeline',
      sql<number[]>`array(select a.user_id from approvals a where a.merge_request_id = m.id order by a.created_at, a.user_id)`.as(
        'approved_by',
      ),
      // Unresolved threads; 0 where the project does not require threads to be resolved.
      sql<number>`case when p.only_allow_merge_if_all_discussions_are_resolved then
        (select count(distinct n.discussion_id)::int from notes n
          where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end`.as('unresolved_threads'),
    ])
    .where('m.id', '=', anyOf(ids)),
)

export type Grounds = Awaited<ReturnType<typeof groundsOfIds>>[number]

/** Merge conditions of merge requests by id. */
export async function groundsOf(db: Db, ids: readonly number[]): Promise<Map<number, Grounds>> {
  const rows = ids.length === 0 ? [] : await groundsOfIds(db, ids)
  return new Map(rows.map(row => [row.id, row]))
}

/** The approval facts of one merge request. */
export interface ApprovalFacts {
  readonly settings: Grounds
  readonly rules: readonly Applied[]
  /** True if the merge request has rules of its own, which replace the project's. */
  readonly overwritten: boolean
  /** User ids in order of approval. */
  readonly approved_by: readonly number[]
  /** Those of them who could approve today, too: theirs alone count. Who lost the role, or the account, may come back. */
  readonly counting: readonly number[]
}

type Asked = Pick<MergeRequestRow, 'id' | 'project_id' | 'target_branch' | 'author_id' | 'approvals_before_merge'>

/** The approval facts of merge requests by id: at most six statements. Rules are premium: without them no approval is required. */
export async function approvalFacts(db: Db, tier: Facts['tier'], rows: readonly Asked[]): Promise<Map<number, ApprovalFacts>> {
  const grounds = groundsOf(
    db,
    rows.map(row => row.id),
  )
  return (await Promise.all([approvalFactsOn(db, tier, rows, grounds), grounds]))[0]
}

/** Like `approvalFacts`, for callers that have loaded the merge conditions already. */
export async function approvalFactsOn(
  db: Db,
  tier: Facts['tier'],
  rows: readonly Asked[],
  asked: Promise<ReadonlyMap<number, Grounds>>,
): Promise<Map<number, ApprovalFacts>> {
  if (rows.length === 0) return new Map()
  const hasRules = tierCovers(tier, 'premium')
  const [grounds, rules] = await Promise.all([asked, hasRules ? rulesFor(db, rows) : []])
  const named = await namedBy(
    db,
    rules.map(rule => rule.id),
  )
  const approvers = rows.flatMap(row => grounds.get(row.id)?.approved_by ?? [])
  const able = await peopleAble(db, rows, [...new Set([...[...named.values()].flat(), ...approvers])])
  const branches = await protectedNames(db, [...new Set(rules.flatMap(rule => rule.protected_branch_ids))])
  const owned = new Set(rules.flatMap(rule => (rule.rule_type === 'code_owner' ? (rule.merge_request_id ?? []) : [])))
  const owners = await requireOwners(
    db,
    rows.filter(row => owned.has(row.id)),
  )

  return new Map(
    rows.map(row => {
      const ofProject = grounds.get(row.id) as Grounds
      const ofOwners = rules.filter(rule => rule.merge_request_id === row.id && rule.rule_type === 'code_owner')
      const own = rules.filter(rule => rule.merge_request_id === row.id && rule.rule_type !== 'code_owner')
      const overwritten = own.length > 0 && !ofProject.disable_overriding_approvers_per_merge_request
      const holding = overwritten ? own : rules.filter(rule => rule.project_id === row.project_id && holdsFor(rule, row, branches))
      const isPermitted = (id: number) => ofProject.merge_requests_author_approval || id !== row.author_id
      const isAble = (id: number) => able.get(`${row.project_id}:${id}`)?.ifNamed === true && isPermitted(id)
      const isAbleOwner = (id: number) => able.get(`${row.project_id}:${id}`)?.asOwner === true && isPermitted(id)
      const appliedOf = (rule: ApprovalRuleRow): Applied => ({
        id: rule.id,
        name: rule.name,
        rule_type: rule.rule_type,
        approvals_required: rule.approvals_required,
        approver_ids: rule.rule_type === 'any_approver' ? undefined : (named.get(rule.id) ?? []).filter(isAble),
        row: rule,
      })
      const applied = holding.map(appliedOf)
      const appliedOwners = ofOwners.map(
        (rule): Applied => ({
          ...appliedOf(rule),
          approvals_required: owners.has(row.id) ? rule.approvals_required : 0,
          approver_ids: (named.get(rule.id) ?? []).filter(isAbleOwner),
        }),
      )
      const asked = hasRules ? effectiveApprovals(row, ofProject.approvals_before_merge) : 0
      // Contract: the bare number applies where there is no rule (public behaviour at 14.0).
      const holds = [...(applied.length > 0 || asked === 0 ? applied : [withoutRule(asked)]), ...appliedOwners]
      const counts = (id: number) =>
        (able.get(`${row.project_id}:${id}`)?.unnamed === true || holds.some(({ approver_ids }) => approver_ids?.includes(id))) &&
        (holds.length === 0 || isPermitted(id))
      const { approved_by } = ofProject
      return [row.id, { settings: ofProject, rules: holds, overwritten, approved_by, counting: approved_by.filter(counts) }] as const
    }),
  )
}

/** A number of approvals that any eligible user can give. */
const withoutRule = (approvals_required: number): Applied => ({
  id: null,
  name: 'All Members',
  rule_type: 'any_approver',
  approvals_required,
  approver_ids: undefined,
  row: undefined,
})

/** A rule of a project applies to all branches, or only to those that it names. */
const holdsFor = (rule: ApprovalRuleRow, { target_branch }: Asked, branches: ReadonlyMap<number, string>): boolean =>
  rule.protected_branch_ids.length === 0 || rule.protected_branch_ids.some(id => fitsName(branches.get(id) ?? '', target_branch))

/** The rules of these projects, and the own rules of these merge requests. */
const rulesOfAny = compiled((db, projectIds: readonly number[], ids: readonly number[]) =>
  approvalRules(db).where(({ or, eb }) =>
    or([eb('approval_rules.project_id', '=', anyOf(projectIds)), eb('approval_rules.merge_request_id', '=', anyOf(ids))]),
  ),
)

const rulesFor = (db: Db, rows: readonly Asked[]): Promise<ApprovalRuleRow[]> =>
  rulesOfAny(
    db,
    [...new Set(rows.map(row => row.project_id))],
    rows.map(row => row.id),
  )

/** May a user approve where a rule names them, and where none does? */
interface Ability {
  readonly ifNamed: boolean
  /** Where a CODEOWNERS file names them. */
  readonly asOwner: boolean
  readonly unnamed: boolean
}

/**
 * Which of these users can approve in which of the projects, by `project:user`: members with an active account, from Reporter up who are named
 * by a rule, and Developers as code owners or without one. Administrators need no role, unless it is a rule that names them.
 */
async function peopleAble(db: Db, rows: readonly Asked[], userIds: readonly number[]): Promise<ReadonlyMap<string, Ability>> {
  if (userIds.length === 0) return new Map()
  const { rows: people } = await sql<{ project_id: number; user_id: number; admin: boolean; level: number }>`
    with places as materialized (
      select p.id, n.owner_id, n.traversal_ids from projects p join namespaces n on n.id = p.namespace_id
       where p.id = any(${[...new Set(rows.map(row => row.project_id))]}::bigint[])
    ), people as materialized (
      select places.id as project_id, u.id as user_id, u.admin, greatest(
          case when places.owner_id = u.id then ${roles.owner}::int end,
          (select ${highestLevel} from memberships m where m.user_id = u.id and m.project_id = places.id),
          (select ${highestLevel} from memberships m where m.user_id = u.id and m.namespace_id = any(places.traversal_ids))) as level
        from places cross join users u where u.id = any(${userIds}::bigint[]) and u.state = 'active'
    )
    select project_id, user_id, admin, level from people where admin or level >= ${roles.reporter}`.execute(db)
  return new Map(
    people.map(({ project_id, user_id, admin, level }) => [
      `${project_id}:${user_id}`,
      { ifNamed: level >= roles.reporter, asOwner: level >= roles.developer, unnamed: admin || level >= roles.developer },
    ]),
  )
}
