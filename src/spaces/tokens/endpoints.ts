/** Tokens: personal, impersonation, project and group access tokens (document 1 "Authentication"; their APIs at the v4 level 14.0). */
import Type, { type TProperties } from 'typebox'
import { inUser } from '../../identity/users/scope.ts'
import { type Ability, type Role, roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { type TokenScope, tokenScopes } from '../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { CommaList, Day, described, integer, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { badRequest, unauthenticated } from '../../platform/kernel/errors.ts'
import { type InPlace, inGroupPlace, inProjectPlace } from '../members/scope.ts'
import * as commands from './commands.ts'
import {
  FreshImpersonationToken,
  FreshPersonalAccessToken,
  FreshPlaceAccessToken,
  ImpersonationToken,
  PersonalAccessToken,
  PlaceAccessToken,
} from './entity.ts'
import { botTokens, impersonationTokens, personalTokens, type TokenRow, tokenById } from './queries.ts'
import { inImpersonationToken, inPersonalAccessToken, inPlaceToken } from './scope.ts'

/** The parameters of a new token; `scopes` are those it can have. */
const tokenParams = <const S extends readonly [TokenScope, ...TokenScope[]]>(scopes: S) =>
  ({
    name: text('Name', { minLength: 1, maxLength: 255, examples: ['backup'] }),
    scopes: described('What the token may be used for', CommaList(OneOf(scopes), { minItems: 1, maxItems: 20, examples: [['read_api']] })),
    expires_at: optional(Day('The day it ends')),
  }) satisfies TProperties

/** The parameters of a rotation. */
const rotationParams = {
  expires_at: optional(Day('The day the new one ends; in a week unless given')),
} satisfies TProperties

/** The token of the request itself; 400 for other credentials. */
async function ownToken({ db, actor }: Context): Promise<TokenRow> {
  const { credential } = actor
  const token = credential?.kind === 'personal_access_token' ? await tokenById(db, credential.id) : undefined
  if (!token) throw badRequest('this request was not made with a personal access token')
  return token
}

export const listPersonalAccessTokens = endpoint({
  route: 'GET /personal_access_tokens',
  summary: 'List personal access tokens: one’s own, for administrators those of everybody',
  scope: inInstance,
  can: 'use_instance',
  params: { user_id: optional(integer('Only those of this user')) },
  answers: pageOf(PersonalAccessToken),
  run({ db, actor, params }) {
    if (isAdmin(actor)) return personalTokens(db, params.user_id)
    // Contract: 401, not 403, for listing the tokens of others (personal access tokens API).
    if (!actor.user || (params.user_id ?? actor.user.id) !== actor.user.id) throw unauthenticated()
    return personalTokens(db, actor.user.id)
  },
})

export const getOwnToken = endpoint({
  route: 'GET /personal_access_tokens/self',
  summary: 'Get the token that the request is made with',
  scope: inInstance,
  can: 'use_instance',
  scopes: tokenScopes,
  answers: one(PersonalAccessToken),
  errors: ['bad_request'],
  run: ownToken,
})

export const revokeOwnToken = endpoint({
  route: 'DELETE /personal_access_tokens/self',
  summary: 'Revoke the token that the request is made with',
  scope: inInstance,
  can: 'use_instance',
  scopes: tokenScopes,
  answers: nothing,
  run: async ctx => commands.revokeToken(ctx, await ownToken(ctx)),
})

export const getPersonalAccessToken = endpoint({
  route: 'GET /personal_access_tokens/:id',
  summary: 'Get a personal access token',
  scope: inPersonalAccessToken,
  can: 'update_own',
  answers: one(PersonalAccessToken),
  run: ({ token }) => token,
})

export const revokePersonalAccessToken = endpoint({
  route: 'DELETE /personal_access_tokens/:id',
  summary: 'Revoke a personal access token',
  scope: inPersonalAccessToken,
  can: 'update_own',
  answers: nothing,
  run: ctx => commands.revokeToken(ctx, ctx.token),
})

export const rotateOwnToken = endpoint({
  route: 'POST /personal_access_tokens/self/rotate',
  summary: 'Put a new token in the place of the one that the request is made with',
  scope: inInstance,
  can: 'use_instance',
  params: rotationParams,
  answers: one(FreshPersonalAccessToken),
  run: async ctx => commands.rotateToken(ctx, await ownToken(ctx), ctx.params.expires_at),
})

export const rotatePersonalAccessToken = endpoint({
  route: 'POST /personal_access_tokens/:id/rotate',
  summary: 'Put a new personal access token in the place of one',
  scope: inPersonalAccessToken,
  can: 'renew_own_credential',
  params: rotationParams,
  answers: one(FreshPersonalAccessToken),
  run: ctx => commands.rotateToken(ctx, ctx.token, ctx.params.expires_at),
})

export const createPersonalAccessToken = endpoint({
  route: 'POST /users/:user_id/personal_access_tokens',
  summary: 'Create a personal access token for a user',
  scope: inUser,
  can: 'add_credential_for_user',
  // Contract: any user may create a token with scope `sudo`; it has an effect only for administrators (decision 11).
  params: tokenParams(tokenScopes),
  answers: one(FreshPersonalAccessToken),
  run: ctx => commands.createToken(ctx, ctx.user.id, ctx.params),
})

export const listImpersonationTokens = endpoint({
  route: 'GET /users/:user_id/impersonation_tokens',
  summary: 'List the impersonation tokens of a user',
  scope: inUser,
  can: 'admin_user',
  params: { state: optional(OneOf(['all', 'active', 'inactive'], { description: 'Only tokens in this state' })) },
  answers: pageOf(ImpersonationToken),
  run: ({ db, user, params, now }) => impersonationTokens(db, user.id, params.state ?? 'all', now),
})

export const getImpersonationToken = endpoint({
  route: 'GET /users/:user_id/impersonation_tokens/:impersonation_token_id',
  summary: 'Get an impersonation token of a user',
  scope: inImpersonationToken,
  can: 'admin_user',
  answers: one(ImpersonationToken),
  run: ({ token }) => token,
})

export const createImpersonationToken = endpoint({
  route: 'POST /users/:user_id/impersonation_tokens',
  summary: 'Create a token with which administrators act as a user',
  scope: inUser,
  can: 'add_credential_for_user',
  params: tokenParams(tokenScopes),
  answers: one(FreshImpersonationToken),
  run: ctx => commands.createImpersonationToken(ctx, ctx.user.id, ctx.params),
})

export const revokeImpersonationToken = endpoint({
  route: 'DELETE /users/:user_id/impersonation_tokens/:impersonation_token_id',
  summary: 'Revoke an impersonation token of a user',
  scope: inImpersonationToken,
  can: 'admin_user',
  answers: nothing,
  run: ctx => commands.revokeToken(ctx, ctx.token),
})

interface Kind<S extends InPlace> {
  readonly noun: 'group' | 'project'
  readonly scope: Scope<S>
  readonly levels: readonly Role[]
  readonly manage: Ability
}

/** Access tokens of projects and groups: each belongs to a bot that is a member there. */
function placeTokenEndpoints<S extends InPlace>({ noun, scope, levels, manage }: Kind<S>) {
  const path = `/${noun}s/:id/access_tokens` as const
  const inOne = inPlaceToken(scope)

  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the access tokens of a ${noun}`,
    scope,
    can: manage,
    answers: pageOf(PlaceAccessToken),
    run: ({ db, place }) => botTokens(db, place.key),
  })
  const get = endpoint({
    route: `GET ${path}/:token_id`,
    summary: `Get an access token of a ${noun}`,
    scope: inOne,
    can: manage,
    answers: one(PlaceAccessToken),
    run: ({ token }) => token,
  })
  const create = endpoint({
    route: `POST ${path}`,
    summary: `Create an access token for a ${noun}`,
    scope,
    can: manage,
    params: {
      ...tokenParams(['api', 'read_api', 'read_repository', 'write_repository']),
      access_level: Type.Unsafe<Role>({
        type: 'integer',
        enum: [...levels],
        default: roles.maintainer,
        description: `Of the bot: ${levels.join(', ')}`,
      }),
    },
    answers: one(FreshPlaceAccessToken),
    run: ctx => commands.createPlaceToken(ctx, ctx.place, ctx.params),
  })
  const rotate = endpoint({
    route: `POST ${path}/:token_id/rotate`,
    summary: `Put a new access token of a ${noun} in the place of one`,
    scope: inOne,
    can: manage,
    params: rotationParams,
    answers: one(FreshPlaceAccessToken),
    run: ctx => commands.rotatePlaceToken(ctx, ctx.place, ctx.token, ctx.params.expires_at),
  })
  const revoke = endpoint({
    route: `DELETE ${path}/:token_id`,
    summary: `Revoke an access token of a ${noun}`,
    scope: inOne,
    can: manage,
    answers: nothing,
    run: ctx => commands.revokePlaceToken(ctx, ctx.token),
  })
  return [list, get, create, rotate, revoke] as const
}

export const projectAccessTokens = placeTokenEndpoints({
  noun: 'project',
  scope: inProjectPlace,
  levels: [10, 20, 30, 40],
  manage: 'manage_project_access_tokens',
})

export const groupAccessTokens = placeTokenEndpoints({
  noun: 'group',
  scope: inGroupPlace,
  levels: [10, 20, 30, 40, 50],
  manage: 'manage_group_access_tokens',
})
