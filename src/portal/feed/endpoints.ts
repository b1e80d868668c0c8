/** Activity feeds: one's own, another user's, and a project's (events API of the v4 level 14.0). */
import Type, { type TProperties } from 'typebox'
import { showsActivity } from '../../identity/users/activity/private_profile.ts'
import { inSelf, inUser } from '../../identity/users/scope.ts'
import { feedActions, feedTargets } from '../../platform/events/feed.ts'
import { slicesOf } from '../../platform/kernel/answer/page.ts'
import { endpoint, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { Day, OneOf, optional } from '../../platform/kernel/declaration/types.ts'
import { shortListParams } from '../../spaces/projects/attributes/params.ts'
import { simpleOrFull } from '../../spaces/projects/entity.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { FeedEntry } from './entity.ts'
import { contributedProjects, feedMatching } from './queries.ts'

const feedParams = {
  action: optional(OneOf(feedActions, { description: 'Only events with this action' })),
  target_type: optional(OneOf(feedTargets, { description: 'Only events about this kind of target' })),
  before: optional(Day('Only what was done before this day')),
  after: optional(Day('Only what was done after this day')),
  sort: Type.Optional(OneOf(['asc', 'desc'], { description: 'By time; desc unless given' })),
} satisfies TProperties

export const listOwnEvents = endpoint({
  route: 'GET /events',
  summary: 'List what one has done',
  scope: inSelf,
  can: 'update_own',
  scopes: ['read_user'],
  params: { ...feedParams, scope: Type.Optional(OneOf(['all'], { description: 'What anybody did in the projects one is a member of' })) },
  answers: pageOf(FeedEntry),
  run: ({ db, actor, user, params: { scope, ...filters } }) =>
    feedMatching(db, actor, scope === 'all' ? { memberId: user.id } : { authorId: user.id }, filters),
})

export const listUserEvents = endpoint({
  route: 'GET /users/:user_id/events',
  summary: 'List what a user has done, as far as one may see it',
  scope: inUser,
  can: 'read_user',
  scopes: ['read_user'],
  params: feedParams,
  answers: pageOf(FeedEntry),
  run: ({ db, actor, user, params }) =>
    showsActivity(actor, user) ? feedMatching(db, actor, { authorId: user.id }, params) : slicesOf([]),
})

export const listProjectEvents = endpoint({
  route: 'GET /projects/:id/events',
  summary: 'List what was done in a project, as far as one may see it',
  scope: inProject,
  can: 'read_project',
  params: feedParams,
  answers: pageOf(FeedEntry),
  run: ({ db, actor, project, params }) => feedMatching(db, actor, { projectId: project.id }, params),
})

export const listContributedProjects = endpoint({
  route: 'GET /users/:user_id/contributed_projects',
  summary: 'List the projects that a user has contributed to within a year, as far as one may see them',
  scope: inUser,
  can: 'read_user',
  params: shortListParams,
  answers: pageOf(simpleOrFull),
  // As with the activity itself: a private profile shows none to others.
  run: ctx =>
    showsActivity(ctx.actor, ctx.user) ? contributedProjects(ctx.db, ctx.actor, ctx.user.id, ctx.now, ctx.params) : slicesOf([]),
})
