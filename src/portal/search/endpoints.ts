/** Searches the instance, groups and projects (search API at 14.0). There are no scopes for wikis and snippets. */

import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import { inRepository } from '../../code/repository/scope.ts'
import { allows, roles } from '../../platform/access/abilities.ts'
import { groupAllows } from '../../platform/access/ability_conditions.ts'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import { type Rows, slicesOf } from '../../platform/kernel/answer/page.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import { groupSubject, inGroup } from '../../spaces/groups/scope.ts'
import { allMembersOf } from '../../spaces/members/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { foundIn } from './entity.ts'
import { searchBlobs, searchCommits } from './repository.ts'
import {
  type SearchOptions,
  searchIssues,
  searchMergeRequests,
  searchMilestones,
  searchNotes,
  searchProjects,
  searchUsers,
} from './scopes.ts'

const wide = ['projects', 'issues', 'merge_requests', 'milestones', 'users'] as const
const inOne = ['issues', 'merge_requests', 'milestones', 'notes', 'commits', 'blobs', 'users'] as const

const params = {
  search: text('What to look for', { minLength: 1, maxLength: 255, pattern: '\\S', examples: ['Issue'] }),
  state: Type.Optional(OneOf(['opened', 'closed', 'merged', 'all'], { description: 'Of issues and merge requests' })),
  confidential: optional(flag('Confidential issues, or the others')),
  order_by: optional(OneOf(['created_at'], { description: 'What the list is ordered by' })),
  sort: optional(OneOf(['asc', 'desc'], { description: '`asc` or `desc`' })),
}
const Scope = <const S extends readonly [string, ...string[]]>(scopes: S) =>
  OneOf(scopes, { description: 'Among what kind of things', examples: ['issues'] })

// biome-ignore lint/suspicious/noExplicitAny: each scope has rows of its own
type Found = Rows<any> | Promise<Rows<any>>

/** Searches the projects that meet `where`, and among the users `userIds`; all users by default. */
function searchWide(
  ctx: Context,
  askedIn: string | null,
  where: RawBuilder<boolean>,
  userIds: RawBuilder<number> | undefined,
  options: SearchOptions & { readonly scope: (typeof wide)[number] },
): Found {
  switch (options.scope) {
    case 'projects':
      return searchProjects(ctx, where, options)
    case 'issues':
      return searchIssues(ctx, askedIn, where, options)
    case 'merge_requests':
      return searchMergeRequests(ctx, askedIn, where, options)
    case 'milestones':
      return searchMilestones(ctx, where, options)
    case 'users':
      return searchUsers(ctx, userIds, options)
  }
}

export const search = endpoint({
  route: 'GET /search',
  summary: 'Search the instance',
  scope: inInstance,
  can: 'use_instance',
  params: { scope: Scope(wide), ...params },
  answers: pageOf(foundIn(wide)),
  run: ctx => searchWide(ctx, null, sql<boolean>`true`, undefined, ctx.params),
})

const groupSearchAt = (route: 'GET /groups/:id/search' | 'GET /groups/:id/-/search') =>
  endpoint({
    route,
    summary: 'Search a group and the groups below it',
    scope: inGroup,
    can: 'search_group',
    params: { scope: Scope(wide), ...params },
    answers: pageOf(foundIn(wide)),
    run(ctx) {
      const { id, full_path } = ctx.group
      // As an array, the ids of the groups are computed first: the planner then starts from them and not from all projects.
      const below = sql`array(select g.id from namespaces g where g.traversal_ids @> ${[id]}::bigint[])`
      return searchWide(ctx, full_path, sql<boolean>`projects.namespace_id = any(${below})`, membersBelow(ctx, ctx.group), ctx.params)
    },
  })

export const searchGroup = groupSearchAt('GET /groups/:id/search')
/** Contract: the address has a newer form with a dash (search API). */
export const searchGroupWithDash = groupSearchAt('GET /groups/:id/-/search')

const projectSearchAt = (route: 'GET /projects/:id/search' | 'GET /projects/:id/-/search') =>
  endpoint({
    route,
    summary: 'Search a project, its commits and its files',
    scope: inRepository,
    can: 'search_project',
    cost: 'heavy',
    params: {
      scope: Scope(inOne),
      ...params,
      ref: optional(text('The branch or tag whose commits and files are searched; the default branch unless given')),
    },
    answers: pageOf(foundIn(inOne)),
    run(ctx): Found {
      const { project, repository, params: options } = ctx
      const where = sql<boolean>`projects.id = ${project.id}`
      switch (options.scope) {
        case 'issues':
          return searchIssues(ctx, project.full_path, where, options)
        case 'merge_requests':
          return searchMergeRequests(ctx, project.full_path, where, options)
        case 'milestones':
          return searchMilestones(ctx, where, options)
        case 'notes':
          return searchNotes(ctx, where, options)
        case 'users':
          return searchUsers(ctx, membersOf(ctx, project), options)
        default: {
          const readsCode = allows(ctx.actor, 'read_code', projectSubject(project)) === 'yes'
          if (!repository || !readsCode) return slicesOf([])
          const find = options.scope === 'commits' ? searchCommits : searchBlobs
          return find(repository, project, options.search, options.ref)
        }
      }
    },
  })

export const searchProject = projectSearchAt('GET /projects/:id/search')
/** Contract: the address has a newer form with a dash (search API). */
export const searchProjectWithDash = projectSearchAt('GET /projects/:id/-/search')

/** The ids of the members of a group, of those above it and of those below it, as far as the caller may see the members of each. */
function membersBelow({ actor }: Context, group: GroupRow & { readonly role: number }): RawBuilder<number> {
  const above = allows(actor, 'read_group_members', groupSubject(group)) === 'yes' ? group.traversal_ids : []
  const below = sql`array(select namespaces.id from namespaces
    where namespaces.traversal_ids @> ${[group.id]}::bigint[] and ${groupAllows(actor, 'read_group_members')})`
  return sql<number>`select m.user_id from memberships m
    where ${isCurrentMembership()} and (m.namespace_id = any(${above}) or m.namespace_id = any(${below}))`
}

/** The ids of all members of a project, direct or inherited. */
function membersOf({ db }: Context, project: ProjectWithRole): RawBuilder<number> {
  const place = {
    key: { project_id: project.id },
    above: project.namespace_traversal_ids,
    ownerId: project.namespace_owner_id,
    role: roles.none,
  }
  return sql<number>`select m.id from (${allMembersOf(db, place)}) m`
}
