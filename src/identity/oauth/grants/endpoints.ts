/** The OAuth grants of the signed-in user: list and revoke. */

import { endpoint, nothing, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inSelf } from '../../users/scope.ts'
import { OAuthGrant } from '../entity.ts'
import { grantOf, grantsOf } from '../queries.ts'
import { revokeGrant } from './revocation.ts'

/** `:id` becomes a valid grant of the caller, or 404. */
const inOwnGrant = within(inSelf, {
  name: 'inOwnGrant',
  path: { id: integer('ID of a grant') },
  async load({ db, user, now }, { id }) {
    const grant = await grantOf(db, user.id, id, now)
    if (!grant) throw notFound('Grant')
    return { grant }
  },
})

export const listOwnGrants = endpoint({
  route: 'GET /user/oauth_grants',
  summary: 'List what one has granted to applications by OAuth',
  scope: inSelf,
  can: 'update_own',
  scopes: ['read_user'],
  answers: pageOf(OAuthGrant),
  run: ({ db, user, now }) => grantsOf(db, user.id, now),
})

export const revokeOwnGrant = endpoint({
  route: 'DELETE /user/oauth_grants/:id',
  summary: 'Take back what one has granted to an application by OAuth',
  scope: inOwnGrant,
  can: 'update_own',
  answers: nothing,
  run: ctx => revokeGrant(ctx, ctx.grant),
})
