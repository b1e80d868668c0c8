/** Deploy tokens of the instance, of projects and of groups (deploy tokens API at 14.0). */
import type { TProperties } from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import { deployTokenScopes } from '../../platform/access/credentials/token_scopes.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance, type Scope } from '../../platform/kernel/declaration/scope.ts'
import { CommaList, DateTime, flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { createDeployToken, deleteDeployToken } from './commands.ts'
import { DeployToken, FreshDeployTokenEntity } from './entity.ts'
import { allDeployTokens, deployTokensOf } from './queries.ts'
import { type InDeployTokenPlace, inDeployToken, inGroupDeployTokens, inProjectDeployTokens } from './scope.ts'

const filters = {
  active: optional(flag('Only those that have not ended (`true`), or that have (`false`)')),
} satisfies TProperties

const newToken = {
  name: text('Name of the token', { minLength: 1, maxLength: 255, examples: ['Mirror'] }),
  scopes: CommaList(OneOf(deployTokenScopes), { minItems: 1, description: 'What it opens', examples: [['read_repository']] }),
  username: optional(
    text('Goes with the token in Basic authentication; `gitlab+deploy-token-<id>` unless given', {
      maxLength: 255,
      pattern: '^[A-Za-z0-9._+-]*$',
    }),
  ),
  expires_at: optional(DateTime('When it ends; never unless given')),
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

interface Place<S extends InDeployTokenPlace> {
  readonly path: `/${string}`
  /** As in "of a project". */
  readonly of: string
  /** As in "for a project". */
  readonly forWhom: string
  readonly scope: Scope<S>
  readonly canRead: Ability
  readonly can: Ability
}

function deployTokenEndpoints<S extends InDeployTokenPlace>({ path, of, forWhom, scope, canRead, can }: Place<S>) {
  const inOne = inDeployToken(scope)

  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the deploy tokens ${of}`,
    scope,
    can: canRead,
    params: filters,
    answers: pageOf(DeployToken),
    run: ({ db, now, of, params }) => deployTokensOf(db, of, now, params),
  })
  const get = endpoint({
    route: `GET ${path}/:token_id`,
    summary: `Get a deploy token ${of}`,
    scope: inOne,
    can: canRead,
    answers: one(DeployToken),
    run: ({ deployToken }) => deployToken,
  })
  const create = endpoint({
    route: `POST ${path}`,
    summary: `Make a deploy token for ${forWhom}`,
    scope,
    can,
    params: newToken,
    answers: one(FreshDeployTokenEntity),
    run: ctx => createDeployToken(ctx, ctx.of, ctx.params),
  })
  const remove = endpoint({
    route: `DELETE ${path}/:token_id`,
    summary: `Delete a deploy token ${of}`,
    scope: inOne,
    can,
    answers: nothing,
    run: ctx => deleteDeployToken(ctx, ctx.deployToken),
  })
  return [list, get, create, remove] as const
}

export const projectDeployTokens = deployTokenEndpoints({
  path: '/projects/:id/deploy_tokens',
  of: 'of a project',
  forWhom: 'a project',
  scope: inProjectDeployTokens,
  canRead: 'admin_deploy_tokens',
  can: 'admin_deploy_tokens',
})

export const groupDeployTokens = deployTokenEndpoints({
  path: '/groups/:id/deploy_tokens',
  of: 'of a group',
  forWhom: 'all projects of a group',
  scope: inGroupDeployTokens,
  canRead: 'read_group_deploy_tokens',
  can: 'admin_group_deploy_tokens',
})
