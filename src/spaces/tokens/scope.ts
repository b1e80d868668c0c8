/** Scopes that load a token by the id in the path. */

import { inUser } from '../../identity/users/scope.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { type Scope, scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound, unauthenticated } from '../../platform/kernel/errors.ts'
import type { InPlace } from '../members/scope.ts'
import { botTokens, impersonationTokens, tokenById } from './queries.ts'

/** `:id` becomes a personal access token of the caller, for administrators of any user, or 404. */
export const inPersonalAccessToken = scope({
  name: 'inPersonalAccessToken',
  path: { id: integer('ID of a personal access token') },
  async load({ db, actor }, { id }) {
    if (!actor.user) throw unauthenticated()
    const token = await tokenById(db, id)
    const known = token && !token.impersonation && (token.user_id === actor.user.id || isAdmin(actor))
    if (!known) throw notFound('Personal Access Token')
    return { token }
  },
  subject: ({ token }) => ({ on: 'user' as const, userId: token.user_id }),
})

/** `:impersonation_token_id` becomes an impersonation token of the user, or 404. */
export const inImpersonationToken = within(inUser, {
  name: 'inImpersonationToken',
  path: { impersonation_token_id: integer('ID of an impersonation token') },
  async load({ db, user, now }, { impersonation_token_id }) {
    const token = await impersonationTokens(db, user.id, 'all', now).where('id', '=', impersonation_token_id).executeTakeFirst()
    if (!token) throw notFound('Impersonation Token')
    return { token }
  },
})

/** `:token_id` becomes an access token of the place, or 404. */
export const inPlaceToken = <S extends InPlace>(inPlace: Scope<S>) =>
  within(inPlace, {
    name: `${inPlace.name}AccessToken`,
    path: { token_id: integer('ID of an access token') },
    async load({ db, place }, { token_id }) {
      const token = await botTokens(db, place.key).where('personal_access_tokens.id', '=', token_id).executeTakeFirst()
      if (!token) throw notFound(`${'project_id' in place.key ? 'Project' : 'Group'} Access Token`)
      return { token }
    },
  })
