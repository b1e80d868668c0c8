/** Following users (users API at 14.0). */
import { slicesOf } from '../../platform/kernel/answer/page.ts'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { showsActivity } from '../users/activity/private_profile.ts'
import { UserSummary } from '../users/entity.ts'
import { inUserById } from '../users/scope.ts'
import * as commands from './commands.ts'
import { followedBy, followersOf } from './queries.ts'

export const followUser = endpoint({
  route: 'POST /users/:id/follow',
  summary: 'Follow what a user does',
  scope: inUserById,
  can: 'follow_user',
  answers: one(UserSummary),
  errors: ['not_modified'],
  run: ctx => commands.followUser(ctx, ctx.user),
})

export const unfollowUser = endpoint({
  route: 'POST /users/:id/unfollow',
  summary: 'Follow a user no longer',
  scope: inUserById,
  can: 'follow_user',
  answers: one(UserSummary),
  errors: ['not_modified'],
  run: ctx => commands.unfollowUser(ctx, ctx.user),
})

export const listFollowers = endpoint({
  route: 'GET /users/:id/followers',
  summary: 'List who follows a user',
  scope: inUserById,
  can: 'read_user_details',
  scopes: ['read_user'],
  answers: pageOf(UserSummary),
  run: ({ db, actor, user }) => (showsActivity(actor, user) ? followersOf(db, user.id) : slicesOf([])),
})

export const listFollowed = endpoint({
  route: 'GET /users/:id/following',
  summary: 'List whom a user follows',
  scope: inUserById,
  can: 'read_user_details',
  scopes: ['read_user'],
  answers: pageOf(UserSummary),
  run: ({ db, actor, user }) => (showsActivity(actor, user) ? followedBy(db, user.id) : slicesOf([])),
})
