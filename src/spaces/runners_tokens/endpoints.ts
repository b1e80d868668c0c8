/** Registration tokens of runners (runners API at 14.0): each can be reset, which returns the new one. */

import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject } from '../projects/scope.ts'
import { type FreshRunnersToken, resetInstanceRunnersToken, resetRunnersToken } from './commands.ts'
import { RunnersToken } from './entity.ts'

const answerOf = ({ token, token_expires_at }: FreshRunnersToken) => ({ token: token.reveal(), token_expires_at })

export const resetInstanceToken = endpoint({
  route: 'POST /runners/reset_registration_token',
  summary: 'Replace the token that runners of the instance register with',
  scope: inInstance,
  can: 'admin_instance',
  answers: one(RunnersToken),
  run: async ctx => answerOf(await resetInstanceRunnersToken(ctx)),
})

export const resetGroupToken = endpoint({
  route: 'POST /groups/:id/runners/reset_registration_token',
  summary: 'Replace the token that runners of a group register with',
  scope: inGroup,
  can: 'admin_group_runners',
  answers: one(RunnersToken),
  run: async ctx => answerOf(await resetRunnersToken(ctx, 'namespace_id', ctx.group.id)),
})

export const resetProjectToken = endpoint({
  route: 'POST /projects/:id/runners/reset_registration_token',
  summary: 'Replace the token that runners of a project register with',
  scope: inProject,
  can: 'admin_project_runners',
  answers: one(RunnersToken),
  run: async ctx => answerOf(await resetRunnersToken(ctx, 'project_id', ctx.project.id)),
})
