/** The state of a group's SCIM as JSON; the token only right after it was created. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { DateTime } from '../../platform/kernel/types.ts'
import type { FreshScimToken, ScimToken } from './commands.ts'

const scimUrl = ({ full_path }: ScimToken, { url }: Facts) => `${url}/api/scim/v2/groups/${full_path}`

const url = Type.String({ description: 'What the identity provider is given as the address of the tenant' })

export const ScimState = entity({
  name: 'ScimState',
  schema: Type.Object({ scim_url: url, default_membership_role: Type.Integer(), created_at: DateTime() }),
  present: (row: ScimToken, _loaded: undefined, facts) => ({
    scim_url: scimUrl(row, facts),
    default_membership_role: row.default_membership_role,
    created_at: row.created_at,
  }),
})

export const ScimTokenWithSecret = entity({
  name: 'ScimTokenWithSecret',
  schema: Type.Object({ token: Type.String({ description: 'Shown once' }), scim_url: url, created_at: DateTime() }),
  present: (row: FreshScimToken, _loaded: undefined, facts) => ({
    token: row.token.reveal(),
    scim_url: scimUrl(row, facts),
    created_at: row.created_at,
  }),
})
