/** Filters of merge request lists that issue lists do not have (document 3 "Merge request lists"). */

import { type RawBuilder, sql } from 'kysely'
import { type Asked, type Existence, equal, type FilterTable, negated, userNamed } from '../../../planning/shared/lists/conditions.ts'
import { type Filters, planningFilters } from '../../../planning/shared/lists/filters.ts'
import { isAny, isNone } from '../../../planning/shared/lists/keywords.ts'
import { isCurrentMembership } from '../../../platform/access/memberships.ts'

/** The filters that issues and merge requests share. */
type Shared = Omit<Filters, 'in' | 'confidential' | 'due_date' | 'issue_type' | 'iteration_id' | 'iteration_title' | 'weight'>

/** Values of the filters. */
export interface MergeRequestFilters extends Shared {
  reviewer_id?: number | string | undefined
  reviewer_username?: string | undefined
  approver_ids?: readonly (number | string)[] | undefined
  approved_by_ids?: readonly (number | string)[] | undefined
  approved_by_usernames?: readonly string[] | undefined
  source_branch?: string | undefined
  /** Any of these branches. */
  source_branches?: readonly string[] | undefined
  source_project_id?: number | undefined
  target_branch?: string | undefined
  /** Any of these branches. */
  target_branches?: readonly string[] | undefined
  wip?: 'yes' | 'no' | undefined
  /** A single deployment of the merge request must meet all of these. */
  deployed?: Deployed | undefined
}

/** Environment and time range of a deployment. */
export interface Deployed {
  /** The name of the environment. */
  readonly environment?: string | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/** True if `table` has rows for the merge request and, if given, this user. */
const named =
  (table: string) =>
  ({ column }: Asked, who?: RawBuilder<unknown>): Existence => ({
    rows: sql`select from ${sql.table(table)} r where r.merge_request_id = ${column('id')} ${who ? sql`and r.user_id = ${who}` : sql``}`,
  })

const isReviewed = named('merge_request_reviewers')
const isApproved = named('approvals')

/**
 * True if an approval rule of the merge request names the user, directly or through a group they are a direct member of. The rules are
 * its own, and those project rules for its target branch that it does not override.
 */
function hasApprover({ column }: Asked, who?: RawBuilder<unknown>): Existence {
  const isNamed = who
    ? sql`(exists (select from approval_rule_users u where u.approval_rule_id = rule.id and u.user_id = ${who})
        or exists (select from approval_rule_groups g join members on members.namespace_id = g.group_id
          where g.approval_rule_id = rule.id and members.user_id = ${who} and ${isCurrentMembership('members')}))`
    : sql`(exists (select from approval_rule_users u where u.approval_rule_id = rule.id)
        or exists (select from approval_rule_groups g where g.approval_rule_id = rule.id))`
  return {
    rows: sql`select from approval_rules rule where ${isNamed} and (rule.merge_request_id = ${column('id')}
      or rule.project_id = ${column('project_id')}
        and not exists (select from approval_rules own where own.merge_request_id = ${column('id')} and own.source_rule_id = rule.id))`,
  }
}

/** A filter by several users, all of whom must match, or by `None` or `Any`. */
const allOf = (has: (asked: Asked, who?: RawBuilder<unknown>) => Existence) => (values: readonly (number | string)[], asked: Asked) => {
  if (values.some(isNone)) return [negated(has(asked))]
  if (values.some(isAny)) return [has(asked)]
  return values.map(id => has(asked, sql`${id}`))
}

const { confidential, due_date, issue_type, iteration_id, iteration_title, weight, ...shared } = planningFilters

/** All filters of merge requests. */
export const mergeRequestFilters: FilterTable<MergeRequestFilters> = {
  ...shared,
  reviewer_id: {
    conditions: (value, asked) => [
      isNone(value) ? negated(isReviewed(asked)) : isAny(value) ? isReviewed(asked) : isReviewed(asked, sql`${value}`),
    ],
  },
  reviewer_username: {
    conditions: (name, asked) => [
      isNone(name) ? negated(isReviewed(asked)) : isAny(name) ? isReviewed(asked) : isReviewed(asked, userNamed(name)),
    ],
  },
  approver_ids: { tier: 'premium', conditions: allOf(hasApprover) },
  approved_by_ids: { tier: 'premium', conditions: allOf(isApproved) },
  approved_by_usernames: {
    tier: 'premium',
    conditions: (names, asked) =>
      names.some(isNone)
        ? [negated(isApproved(asked))]
        : names.some(isAny)
          ? [isApproved(asked)]
          : names.map(name => isApproved(asked, userNamed(name))),
  },
  source_branch: { conditions: equal('source_branch') },
  source_project_id: { conditions: equal('source_project_id') },
  target_branch: { conditions: equal('target_branch') },
  source_branches: { conditions: (names, { column }) => [sql<boolean>`${column('source_branch')} = any(${names})`] },
  target_branches: { conditions: (names, { column }) => [sql<boolean>`${column('target_branch')} = any(${names})`] },
  deployed: {
    conditions: ({ environment, after, before }, { column }) => [
      {
        rows: sql`select from deployment_merge_requests d join deployments on deployments.id = d.deployment_id
            join environments on environments.id = d.environment_id where d.merge_request_id = ${column('id')}
            ${environment === undefined ? sql`` : sql`and environments.name = ${environment}`}
            ${after === undefined ? sql`` : sql`and deployments.finished_at >= ${after}`}
            ${before === undefined ? sql`` : sql`and deployments.finished_at <= ${before}`}`,
      },
    ],
  },
  wip: { conditions: (word, { column }) => [sql<boolean>`${column('draft')} = ${word === 'yes'}`] },
}
