/** Reads of issues. */
import { type RawBuilder, sql } from 'kysely'
import type { ItemTables } from '../../collaboration/item_kinds/kinds.ts'
import { type ItemName, isNamed, type Reader, rolesAmongNamed } from '../../collaboration/item_kinds/names.ts'
import { projectAllows, projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { type KnownMemberships, knownMemberships, type QuerySource } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { genericPlan } from '../../platform/db/statements/prepared.ts'
import { type IssueCounts, issueCounts, openlyCounted, openlyCountedOf } from '../../spaces/projects/facts/issue_counts.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { type Filters, planningFilters } from '../shared/lists/filters.ts'
import { type ListContext, type Listing, type ListOptions, listPlanned, type PlannedList } from '../shared/lists/lists.ts'
import { issueVisibleIn, issueVisibleInProject, issueVisibleTo, secretIssues, secretIssuesOfProject } from './lists/visible.ts'

/** The tables joined for the conditions and orders of lists. */
export const issueTables = {
  table: 'issues',
  labels: 'issue_labels',
  assignees: 'issue_assignees',
  key: 'issue_id',
} as const satisfies ItemTables

/**
 * Issues with the path of their project, and the ids of their assignees and labels.
 * @param askedIn full path of the project or group of the request, for references; null for the whole instance
 */
export const issues = (db: QuerySource, askedIn: string | null) =>
  db
    .selectFrom('issues')
    // An outer join, which the planner can drop from counts.
    .leftJoin('routes', 'routes.project_id', 'issues.project_id')
    .selectAll('issues')
    .select(({ ref }) => [
      ref('routes.path').$notNull().as('project_path'),
      sql<string | null>`${askedIn}::text`.as('asked_in'),
      sql<number[]>`array(select a.user_id from issue_assignees a where a.issue_id = issues.id order by a.user_id)`.as('assignee_ids'),
      sql<number[]>`array(select il.label_id from issue_labels il where il.issue_id = issues.id)`.as('label_ids'),
    ])

export type IssueRow = Awaited<ReturnType<ReturnType<typeof issues>['executeTakeFirstOrThrow']>>

/** The filters of a list, with the negated ones and the order. */
export type IssueFilters = ListOptions<Filters>

export type IssueList = PlannedList<IssueRow>

/** What a list is requested for: the path used in references, and the projects whose issues it holds. */
interface Asked extends Pick<Listing<IssueRow, Filters>, 'projects' | 'where' | 'byProject' | 'atLeast'> {
  readonly askedIn: string | null
}

const issuesMatching = (ctx: ListContext, { askedIn, ...place }: Asked, options: IssueFilters) =>
  listPlanned<IssueRow, Omit<Filters, 'in'>>(ctx, {
    kind: issueTables,
    filters: planningFilters,
    all: issues(ctx.db, askedIn),
    options,
    ...place,
  })

/** The issues of a project that the caller may see. */
export function issuesOfProject(ctx: ListContext, project: ProjectWithRole, filters: IssueFilters) {
  const { id, full_path: askedIn, role } = project
  const where = sql<boolean>`issues.project_id = ${id} and ${issueVisibleInProject(ctx.actor, role)}`
  const byProject = { except: secretIssuesOfProject(ctx.actor, id, role) }
  const atLeast = (state: string) => openlyCounted(project, state)
  return issuesMatching(ctx, { askedIn, projects: [id], where, byProject, atLeast }, filters)
}

/** Which projects a list across projects covers. */
export interface Reach {
  /** Leave out archived projects; the default (document 3). */
  non_archived?: boolean | undefined
}

const notArchived = ({ non_archived = true }: Reach) => (non_archived ? sql<boolean>`not projects.archived` : sql<boolean>`true`)

/** The issues of a group's projects, at any depth (decision 35), that the caller may see. */
export async function issuesOfGroup(
  ctx: ListContext,
  group: { readonly id: number; readonly full_path: string },
  { non_archived, ...filters }: IssueFilters & Reach,
) {
  // As an array, the group ids are evaluated first: the planner then starts from them and not from all projects.
  const inGroup = sql<boolean>`${notArchived({ non_archived })} and projects.namespace_id = any(array(
    select below.id from namespaces below where below.traversal_ids @> ${[group.id]}::bigint[]))`
  const known = await knownMemberships(ctx.db, ctx.actor, group.id)
  const { rows } = await sql<{ id: number } & IssueCounts>`
    select projects.id, ${issueCounts} from projects where ${inGroup} and ${projectAllows(ctx.actor, 'read_issue', known)}`.execute(ctx.db)
  const projectIds = rows.map(row => row.id)
  const where = issueVisibleIn(ctx.actor, projectIds, known)
  const byProject = { except: secretIssues(ctx.actor, known, projectIds) }
  const atLeast = (state: string) => rows.reduce((sum, project) => sum + openlyCounted(project, state), 0)
  return issuesMatching(ctx, { askedIn: group.full_path, projects: projectIds, where, byProject, atLeast }, filters)
}

/** The issues of the whole instance that the caller may see. */
export async function issuesOfInstance(ctx: ListContext, { non_archived, ...filters }: IssueFilters & Reach) {
  const known = await knownMemberships(ctx.db, ctx.actor)
  const reached = notArchived({ non_archived })
  const projects = projectsAllowing(ctx.actor, 'read_issue', reached, known)
  const where = issueVisibleTo(ctx.actor, reached, known)
  const byProject = { except: secretIssues(ctx.actor, known) }
  const atLeast = (state: string, enough: number) => countedAtLeast(ctx, state, enough, reached, known)
  return issuesMatching(ctx, { askedIn: null, projects, where, byProject, atLeast }, filters)
}

/** Upper bound of the projects whose counters are added up; beyond it issues are counted. */
const LOOKED_AT = 10_000

/**
 * A lower bound of the number of visible issues in a state in the `reached` projects: counters are added up until they reach `enough`;
 * 0 if LOOKED_AT projects do not.
 */
async function countedAtLeast(
  { db, actor }: ListContext,
  state: string,
  enough: number,
  reached: RawBuilder<boolean>,
  known: KnownMemberships | undefined,
): Promise<number> {
  const counted = openlyCountedOf(state)
  const { rows } = await sql<{ total: number }>`${genericPlan}
    select summed.total from (
      select sum(${counted}) over (rows between unbounded preceding and current row) as total
        from (select * from projects limit ${sql.lit(LOOKED_AT)}) as projects
       where ${counted} > 0 and ${reached} and ${projectAllows(actor, 'read_issue', known)}) as summed
     where summed.total >= ${enough} limit 1`.execute(db)
  return rows[0]?.total ?? 0
}

/** The issue with this number in a project, if the actor may see it. */
export const visibleIssue = (db: Db, actor: Actor, project: ProjectWithRole, iid: number) =>
  issues(db, project.full_path)
    .where('issues.project_id', '=', project.id)
    .where('issues.iid', '=', iid)
    .where(issueVisibleInProject(actor, project.role))
    .executeTakeFirst()

/** Any issue, without a visibility check; for commands and administrators. */
export const issueById = (db: Db, id: number, askedIn: string | null) => issues(db, askedIn).where('issues.id', '=', id).executeTakeFirst()

/** Issues by id that the actor may see, for other resources. */
export async function visibleIssuesById(
  db: Db,
  actor: Actor,
  ids: readonly number[],
  askedIn: string | null,
): Promise<Map<number, IssueRow>> {
  if (ids.length === 0) return new Map()
  const rows = await issues(db, askedIn).where('issues.id', '=', anyOf(ids)).where(issueVisibleTo(actor)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The number of issues of a list in each state. */
export interface Statistics {
  readonly all: number
  readonly opened: number
  readonly closed: number
}

/** Counts a list by state; one statement. */
export const statisticsOf = ({ unordered }: IssueList): Promise<Statistics> => countsByState(unordered)

async function countsByState(found: IssueList['unordered']): Promise<Statistics> {
  const counts = await found
    .select(({ fn }) => [sql<string>`issues.state`.as('state'), fn.countAll<number>().as('count')])
    .groupBy('issues.state')
    .execute()
  const of = (state: string) => counts.find(row => row.state === state)?.count ?? 0
  return { all: of('opened') + of('closed'), opened: of('opened'), closed: of('closed') }
}

/** Sender details of the request that created an issue; undefined if it was not created by a request. */
export const userAgentOf = (db: Db, issueId: number) =>
  db.selectFrom('issue_user_agents').select(['user_agent', 'ip_address']).where('issue_id', '=', issueId).executeTakeFirst()

/** The issues of an epic that the actor may see, by state: how far it is. One statement. */
export const issuesOfEpicByState = async (db: Db, actor: Actor, epicId: number): Promise<Statistics> =>
  countsByState(db.selectFrom('issues').where('issues.epic_id', '=', epicId).where(issueVisibleTo(actor)))

/** The issues that a text names and its reader may see. One statement. */
export async function issuesNamed({ db, actor }: Reader, names: readonly ItemName[]) {
  if (names.length === 0) return []
  const { beginIn, isOne, known } = rolesAmongNamed(actor, names)
  return beginIn(db)
    .selectFrom('issues')
    .innerJoin('routes', 'routes.project_id', 'issues.project_id')
    .select(['issues.id', 'issues.iid', 'issues.project_id', 'issues.title', 'issues.state', 'routes.path'])
    .where(isNamed('issues', names))
    .where(issueVisibleTo(actor, isOne, known))
    .execute()
}
