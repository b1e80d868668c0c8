/** Deploy tokens of the instance, of projects and of groups (deploy tokens API at 14.0). */
import Type, { type TProperties } from 'typebox'
import { deployTokenScopes } from '../access/token_scopes.ts'
import { inGroup } from '../groups/scope.ts'
import { endpoint, nothing, one, pageOf } from '../kernel/endpoint.ts'
import { inInstance } from '../kernel/scope.ts'
import { CommaList, DateTime, OneOf } from '../kernel/types.ts'
import { inProject } from '../projects/scope.ts'
import { createDeployToken, deleteDeployToken } from './commands.ts'
import { DeployToken, FreshDeployTokenEntity } from './entity.ts'
import { allDeployTokens, deployTokensOf } from './queries.ts'
import { inGroupDeployToken, inProjectDeployToken } from './scope.ts'

const filters = {
  active: Type.Optional(Type.Boolean({ description: 'Only those that have not ended (`true`), or that have (`false`)' })),
} satisfies TProperties

const newToken = {
  name: Type.String({ minLength: 1, maxLength: 255, examples: ['Mirror'] }),
  scopes: CommaList(OneOf(deployTokenScopes), { minItems: 1, description: 'What it opens', examples: [['read_repository']] }),
  username: Type.Optional(
    Type.String({
      maxLength: 255,
      pattern: '^[A-Za-z0-9._+-]*$',
      description: 'Goes with the token in Basic authentication; `gitlab+deploy-token-<id>` unless given',
    }),
  ),
  expires_at: Type.Optional(DateTime({ description: 'When it ends; never unless given' })),
} satisfies TProperties

export const listDeployTokens = endpoint({
  route: 'GET /deploy_tokens',
  summary: 'List the deploy tokens of the instance',
  scope: inInstance,
  can: 'admin_instance',
  params: filters,
  answers: pageOf(DeployToken),
  run: ({ db, now, params }) => allDeployTokens(db, now, params),
})

export const listProjectDeployTokens = endpoint({
  route: 'GET /projects/:id/deploy_tokens',
  summary: 'List the deploy tokens of a project',
  scope: inProject,
  can: 'admin_deploy_tokens',
  params: filters,
  answers: pageOf(DeployToken),
  run: ({ db, now, project, params }) => deployTokensOf(db, { project_id: project.id }, now, params),
})

export const getProjectDeployToken = endpoint({
  route: 'GET /projects/:id/deploy_tokens/:token_id',
  summary: 'Get a deploy token of a project',
  scope: inProjectDeployToken,
  can: 'admin_deploy_tokens',
  answers: one(DeployToken),
  run: ({ deployToken }) => deployToken,
})

export const createProjectDeployToken = endpoint({
  route: 'POST /projects/:id/deploy_tokens',
  summary: 'Make a deploy token for a project',
  scope: inProject,
  can: 'admin_deploy_tokens',
  params: newToken,
  answers: one(FreshDeployTokenEntity),
  run: ctx => createDeployToken(ctx, { project_id: ctx.project.id }, ctx.params),
})

export const deleteProjectDeployToken = endpoint({
  route: 'DELETE /projects/:id/deploy_tokens/:token_id',
  summary: 'Delete a deploy token of a project',
  scope: inProjectDeployToken,
  can: 'admin_deploy_tokens',
  answers: nothing,
  run: ctx => deleteDeployToken(ctx, ctx.deployToken),
})

export const listGroupDeployTokens = endpoint({
  route: 'GET /groups/:id/deploy_tokens',
  summary: 'List the deploy tokens of a group',
  scope: inGroup,
  can: 'read_group_deploy_tokens',
  params: filters,
  answers: pageOf(DeployToken),
  run: ({ db, now, group, params }) => deployTokensOf(db, { group_id: group.id }, now, params),
})

export const getGroupDeployToken = endpoint({
  route: 'GET /groups/:id/deploy_tokens/:token_id',
  summary: 'Get a deploy token of a group',
  scope: inGroupDeployToken,
  can: 'read_group_deploy_tokens',
  answers: one(DeployToken),
  run: ({ deployToken }) => deployToken,
})

export const createGroupDeployToken = endpoint({
  route: 'POST /groups/:id/deploy_tokens',
  summary: 'Make a deploy token for all projects of a group',
  scope: inGroup,
  can: 'admin_group_deploy_tokens',
  params: newToken,
  answers: one(FreshDeployTokenEntity),
  run: ctx => createDeployToken(ctx, { group_id: ctx.group.id }, ctx.params),
})

export const deleteGroupDeployToken = endpoint({
  route: 'DELETE /groups/:id/deploy_tokens/:token_id',
  summary: 'Delete a deploy token of a group',
  scope: inGroupDeployToken,
  can: 'admin_group_deploy_tokens',
  answers: nothing,
  run: ctx => deleteDeployToken(ctx, ctx.deployToken),
})
