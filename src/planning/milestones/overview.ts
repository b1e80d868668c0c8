/** What a milestone consists of, as far as the actor may see it: a fixed number of statements, whatever its size. */
import { sql } from 'kysely'
import { presentSummary } from '../../identity/users/entity.ts'
import { usersById } from '../../identity/users/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { issueVisibleTo } from '../issues/lists/visible.ts'
import { issuesOfMilestone } from './queries.ts'

/** Labels and people that are named; the largest and the first. */
const MOST = 50

type Reader = Pick<Context, 'db' | 'actor'>

/** The issues of a milestone by what is done about them. */
export interface MilestoneProgress {
  /** Open, and assigned to nobody. */
  readonly unstarted: number
  /** Open, and assigned. */
  readonly ongoing: number
  readonly closed: number
  /** Sums of weights. */
  readonly weight: number
  readonly closedWeight: number
  /** In seconds. */
  readonly estimate: number
  readonly spent: number
}

const issuesIn = ({ db, actor }: Reader, milestoneId: number) =>
  db.selectFrom('issues').where('issues.milestone_id', '=', milestoneId).where(issueVisibleTo(actor))

const isAssigned = sql<boolean>`exists (select from issue_assignees a where a.issue_id = issues.id)`

/** Counts the issues of a milestone. */
export const progressOf = (ctx: Reader, milestoneId: number): Promise<MilestoneProgress> =>
  issuesIn(ctx, milestoneId)
    .select([
      sql<number>`count(*) filter (where issues.state = 'opened' and not ${isAssigned})::int`.as('unstarted'),
      sql<number>`count(*) filter (where issues.state = 'opened' and ${isAssigned})::int`.as('ongoing'),
      sql<number>`count(*) filter (where issues.state = 'closed')::int`.as('closed'),
      sql<number>`coalesce(sum(issues.weight), 0)::int`.as('weight'),
      sql<number>`coalesce(sum(issues.weight) filter (where issues.state = 'closed'), 0)::int`.as('closedWeight'),
      sql<number>`coalesce(sum(issues.time_estimate), 0)::float8`.as('estimate'),
      sql<number>`coalesce(sum(issues.total_time_spent), 0)::float8`.as('spent'),
    ])
    .executeTakeFirstOrThrow()

/** The newest issues of a milestone by what is done about them: at most `most` of each. Three statements. */
export async function issuesByProgress(ctx: Reader, place: PlanningPlace, milestoneId: number, most: number) {
  const issues = issuesOfMilestone(ctx, place, milestoneId).limit(most)
  const open = issues.where('issues.state', '=', 'opened')
  const [unstarted, ongoing, closed] = await Promise.all([
    open.where(({ not }) => not(isAssigned)).execute(),
    open.where(isAssigned).execute(),
    issues.where('issues.state', '=', 'closed').execute(),
  ])
  return { unstarted, ongoing, closed }
}

/** A label of a milestone's issues, with how many of them have it. */
export interface MilestoneLabel {
  readonly name: string
  readonly color: string
  readonly description: string | null
  readonly opened: number
  readonly closed: number
}

/** The labels of a milestone's issues, those that most have first. */
export const labelsOfMilestone = (ctx: Reader, milestoneId: number): Promise<readonly MilestoneLabel[]> =>
  issuesIn(ctx, milestoneId)
    .innerJoin('issue_labels', 'issue_labels.issue_id', 'issues.id')
    .innerJoin('labels', 'labels.id', 'issue_labels.label_id')
    .select([
      'labels.name',
      'labels.color',
      'labels.description',
      sql<number>`count(*) filter (where issues.state = 'opened')::int`.as('opened'),
      sql<number>`count(*) filter (where issues.state = 'closed')::int`.as('closed'),
    ])
    .groupBy('labels.id')
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('labels.name')
    .limit(MOST)
    .execute()

/** The people whom the milestone's issues are assigned to, by name. Two statements. */
export async function peopleOfMilestone(ctx: Context, milestoneId: number) {
  const rows = await issuesIn(ctx, milestoneId)
    .innerJoin('issue_assignees', 'issue_assignees.issue_id', 'issues.id')
    .innerJoin('users', 'users.id', 'issue_assignees.user_id')
    .select(['users.id', 'users.name'])
    .distinct()
    .orderBy('users.name')
    .orderBy('users.id')
    .limit(MOST)
    .execute()
  const users = await usersById(
    ctx.db,
    rows.map(({ id }) => id),
  )
  return rows.flatMap(({ id }) => {
    const user = users.get(id)
    return user ? [presentSummary(user, ctx)] : []
  })
}
