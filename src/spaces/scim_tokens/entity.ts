/** The state of a group's SCIM as JSON; the token only right after it was created. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, integer, text } from '../../platform/kernel/declaration/types.ts'
import type { FreshScimToken, ScimToken } from './commands.ts'

/** What the identity provider is given as the address of the group. */
export const scimUrl = ({ full_path }: Pick<ScimToken, 'full_path'>, { url }: Pick<Facts, 'url'>): string =>
  `${url}/api/scim/v2/groups/${full_path}`

const url = text('What the identity provider is given as the address of the tenant')

export const ScimState = entity({
  name: 'ScimState',
  schema: Type.Object({
    scim_url: described('Address for the identity provider', url),
    default_membership_role: integer('Level of members who come by SCIM'),
    created_at: DateTime('When it was created'),
  }),
  present: (row: ScimToken, _loaded: undefined, facts) => ({
    scim_url: scimUrl(row, facts),
    default_membership_role: row.default_membership_role,
    created_at: row.created_at,
  }),
})

export const ScimTokenWithSecret = entity({
  name: 'ScimTokenWithSecret',
  schema: Type.Object({
    token: text('Shown once'),
    scim_url: described('Address for the identity provider', url),
    created_at: DateTime('When it was created'),
  }),
  present: (row: FreshScimToken, _loaded: undefined, facts) => ({
    token: row.token.reveal(),
    scim_url: scimUrl(row, facts),
    created_at: row.created_at,
  }),
})
