/** Feed queries: activity that the reader may see. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import { countingProjectRole, isProjectMember, projectVisibleTo } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { FeedAction, FeedTarget } from '../../platform/events/feed.ts'
import { type ProjectFilters, projectsMatching } from '../../spaces/projects/queries.ts'
import { may, targets } from './targets.ts'

/** Whose feed: one user's, one project's, that of a group's projects at any depth, or of all projects of which a user is a member. */
export type FeedOf =
  | { readonly authorId: number }
  | { readonly projectId: number }
  | { readonly groupId: number }
  | { readonly memberId: number }

/** Filters and order of feeds (events API). */
export interface FeedFilters {
  action?: FeedAction | undefined
  target_type?: FeedTarget | undefined
  /** Days, `YYYY-MM-DD`: only entries of the days before, and after, this one. */
  before?: string | undefined
  after?: string | undefined
  sort?: 'asc' | 'desc' | undefined
}

/**
 * The entries of a feed that the actor may see. The project is joined laterally so that the database checks visibility and role once per
 * project, not per entry.
 */
export function feedMatching(db: Db, actor: Actor, of: FeedOf, filters: FeedFilters) {
  const { sort = 'desc' } = filters
  let query = db
    .selectFrom('feed_entries')
    .innerJoinLateral(
      eb =>
        eb
          .selectFrom('projects')
          .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
          .select([
            'projects.visibility',
            'projects.repository_access_level',
            'projects.issues_access_level',
            'projects.merge_requests_access_level',
            'projects.snippets_access_level',
            'projects.wiki_access_level',
            countingProjectRole(actor).as('role'),
          ])
          .whereRef('projects.id', '=', 'feed_entries.project_id')
          .where(('memberId' in of ? isProjectMember(of.memberId) : projectVisibleTo(actor)) as RawBuilder<boolean>)
          // Each condition below would have a plan of its own of what the role is made of.
          .offset(sql.lit(0))
          .as('seen'),
      join => join.onTrue(),
    )
    .selectAll('feed_entries')
    .where(entryVisible(actor))
  if ('authorId' in of) query = query.where('feed_entries.author_id', '=', of.authorId)
  if ('projectId' in of) query = query.where('feed_entries.project_id', '=', of.projectId)
  if ('groupId' in of)
    query = query.where(
      sql<boolean>`feed_entries.project_id = any(array(
        select inside.id from projects inside join namespaces home on home.id = inside.namespace_id where home.traversal_ids @> ${[of.groupId]}::bigint[]))`,
    )
  if (filters.action) query = query.where('feed_entries.action', '=', filters.action)
  if (filters.target_type) query = query.where('feed_entries.target_type', '=', filters.target_type)
  // Contract: the day itself belongs to neither side (events API).
  if (filters.before) query = query.where(sql<boolean>`feed_entries.created_at < ${filters.before}::date`)
  if (filters.after) query = query.where(sql<boolean>`feed_entries.created_at >= ${filters.after}::date + 1`)
  return query.orderBy('feed_entries.created_at', sort).orderBy('feed_entries.id', sort)
}

export type FeedRow = Awaited<ReturnType<ReturnType<typeof feedMatching>['executeTakeFirstOrThrow']>>

/** A push is visible to users who may read the code; other entries are visible with their target. */
function entryVisible(actor: Actor): RawBuilder<boolean> {
  const cases = Object.entries(targets).map(([type, { visible }]) => sql`when ${sql.lit(type)} then ${visible(actor)}`)
  return sql<boolean>`case feed_entries.target_type ${sql.join(cases, sql` `)}
    else feed_entries.push_data is not null and ${may(actor, 'read_code')} end`
}

/** Is the entry a contribution: a push, a comment, or a step of an issue or merge request? */
const isContribution = sql<boolean>`(feed_entries.push_data is not null or feed_entries.action = 'commented'
  or feed_entries.target_type in ('issue', 'merge_request') and feed_entries.action in ('created', 'closed', 'merged', 'approved'))`

/**
 * The projects where a user has pushed, commented, or made, closed, approved or merged something in the year before `now`. Only
 * contributions count that the actor may see: what was done out of their sight leads to no project.
 */
export function contributedProjects(db: Db, actor: Actor, userId: number, now: Date, filters: ProjectFilters) {
  const done = feedMatching(db, actor, { authorId: userId }, {})
    .clearSelect()
    .clearOrderBy()
    .select('feed_entries.project_id')
    .where(sql<boolean>`feed_entries.created_at > ${now}::timestamptz - interval '1 year'`)
    .where(isContribution)
  // As an array, the ids are found first: a user's own entries have an index.
  return projectsMatching(db, actor, filters).where(sql<boolean>`projects.id = any(array(${done}))`)
}
