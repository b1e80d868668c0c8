/** Lists of users that flags of a project are on for (feature flag user lists API at 14.0). */
import { endpoint, nothing, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import * as commands from './commands.ts'
import { UserList } from './entity.ts'
import { userListsOf } from './queries.ts'
import { inFlagUserList } from './scope.ts'

const path = '/projects/:id/feature_flags_user_lists' as const
const name = text('Name of the list', { minLength: 1, maxLength: 255, examples: ['beta testers'] })
const user_xids = text('Ids of users of the application, separated by commas', {
  minLength: 1,
  maxLength: 500_000,
  examples: ['user1,user2'],
})

export const listFlagUserLists = endpoint({
  route: `GET ${path}`,
  summary: 'List the user lists of the feature flags of a project',
  scope: inProject,
  can: 'admin_feature_flags_user_lists',
  params: { search: optional(text('Part of the name', { maxLength: 255 })) },
  answers: pageOf(UserList),
  run: ({ db, project, params }) => userListsOf(db, project.id, params.search),
})

export const getFlagUserList = endpoint({
  route: `GET ${path}/:iid`,
  summary: 'Get a user list of feature flags',
  scope: inFlagUserList,
  can: 'admin_feature_flags_user_lists',
  answers: one(UserList),
  run: ({ userList }) => userList,
})

export const createFlagUserList = endpoint({
  route: `POST ${path}`,
  summary: 'Create a user list for feature flags',
  scope: inProject,
  can: 'admin_feature_flags_user_lists',
  params: { name, user_xids },
  answers: one(UserList),
  run: ctx => commands.createUserList(ctx, ctx.project.id, ctx.params),
})

export const updateFlagUserList = endpoint({
  route: `PUT ${path}/:iid`,
  summary: 'Change a user list of feature flags',
  scope: inFlagUserList,
  can: 'admin_feature_flags_user_lists',
  params: { name: optional(name), user_xids: optional(user_xids) },
  answers: one(UserList),
  run: ctx => commands.updateUserList(ctx, ctx.userList, ctx.params),
})

export const deleteFlagUserList = endpoint({
  route: `DELETE ${path}/:iid`,
  summary: 'Delete a user list that no feature flag names',
  scope: inFlagUserList,
  can: 'admin_feature_flags_user_lists',
  answers: nothing,
  errors: ['conflict'],
  run: ctx => commands.removeUserList(ctx, ctx.userList),
})
