/** What is counted over all wings: of the instance, and of what waits for one user. */
import { type RawBuilder, sql } from 'kysely'
import { waitingTodos } from '../../collaboration/todos/queries.ts'
import { fewIssuesVisibleTo } from '../../planning/issues/lists/visible.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import type { Db } from '../../platform/db/connection.ts'
import { fewMergeRequestsVisibleTo } from '../../review/merge_requests/lists/visible.ts'

/** Below this many rows a table is counted; above, the database's own estimate is taken. */
const COUNTED = 10_000

/** Tables whose rows are counted, by the name in the answer. */
const tables = {
  forks: 'project_forks',
  issues: 'issues',
  merge_requests: 'merge_requests',
  notes: 'notes',
  milestones: 'milestones',
  projects: 'projects',
  snippets: 'snippets',
} as const

export type InstanceCounts = Record<keyof typeof tables | 'ssh_keys' | 'users' | 'groups' | 'active_users', number>

/** Rows that a bounded count finds. */
const bounded = (from: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(select count(*) from (select 1 from ${from} limit ${COUNTED}) as counted)`

/** The rows of a table: counted where they are few, estimated where they are many. */
const rowsOf = (table: string): RawBuilder<number> =>
  sql`(select case when few.rows < ${COUNTED} then few.rows
         else greatest(few.rows, (select reltuples::bigint from pg_class where oid = ${sql.lit(table)}::regclass)) end
       from (select ${bounded(sql.table(table))} as rows) as few)`

/** The counts of the instance: one statement, whose time does not grow with what there is. Accounts and groups are counted in full. */
export async function instanceCounts(db: Db): Promise<InstanceCounts> {
  const columns = Object.entries(tables).map(([name, table]) => sql`${rowsOf(table)} as ${sql.ref(name)}`)
  const { rows } = await sql<InstanceCounts>`
    select ${sql.join(columns)},
           (select count(*) from keys where user_id is not null) as ssh_keys,
           (select count(*) from users where kind <> 'ghost') as users,
           (select count(*) from users where kind <> 'ghost' and state = 'active') as active_users,
           (select count(*) from namespaces where kind = 'group') as groups`.execute(db)
  return rows[0] as InstanceCounts
}

/** The accounts of people that are active, and when the first account was made. */
export async function peopleOf(db: Db): Promise<{ readonly active: number; readonly since: string }> {
  const { rows } = await sql<{ active: number; since: string }>`
    select count(*) filter (where kind = 'human' and state = 'active') as active, min(created_at) as since from users`.execute(db)
  return rows[0] as { active: number; since: string }
}

/** How much belongs to a user: direct memberships that have not ended, and what they wrote. One statement. */
export async function associationsOf(db: Db, userId: number) {
  const memberships = (place: 'project_id' | 'namespace_id') => sql`
    (select count(*) from members where members.user_id = ${userId} and members.${sql.ref(place)} is not null and ${isCurrentMembership('members')})`
  const { rows } = await sql<Record<'groups_count' | 'projects_count' | 'issues_count' | 'merge_requests_count', number>>`
    select ${memberships('namespace_id')} as groups_count, ${memberships('project_id')} as projects_count,
           (select count(*) from issues where author_id = ${userId}) as issues_count,
           (select count(*) from merge_requests where author_id = ${userId}) as merge_requests_count`.execute(db)
  return rows[0] as (typeof rows)[number]
}

/** What waits for a user: open and assigned to them, to be reviewed by them, and to do. */
export interface UserCounts {
  readonly merge_requests: number
  readonly assigned_issues: number
  readonly review_requested: number
  readonly todos: number
}

/** The counts of the caller: one statement. */
export async function countsOfUser(db: Db, actor: Actor, id: number, now: Date): Promise<UserCounts> {
  const mergeRequests = (people: 'merge_request_assignees' | 'merge_request_reviewers') => sql`
    (select count(*) from ${sql.table(people)} chosen join merge_requests on merge_requests.id = chosen.merge_request_id
      where chosen.user_id = ${id} and merge_requests.state = 'opened' and ${fewMergeRequestsVisibleTo(actor)})`
  const { rows } = await sql<UserCounts>`
    select ${mergeRequests('merge_request_assignees')} as merge_requests, ${mergeRequests('merge_request_reviewers')} as review_requested,
           (select count(*) from issue_assignees join issues on issues.id = issue_assignees.issue_id
             where issue_assignees.user_id = ${id} and issues.state = 'opened' and ${fewIssuesVisibleTo(actor)}) as assigned_issues,
           (select count(*) from (${waitingTodos(db, actor, id, now)}) as waiting) as todos`.execute(db)
  return rows[0] as UserCounts
}
