/** The token with which an identity provider provisions a group (document 1 does not define how it is obtained). */
import Type from 'typebox'
import { type Role, roles } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inGroup } from '../groups/scope.ts'
import { issueScimToken, removeScimToken } from './commands.ts'
import { ScimState, ScimTokenWithSecret } from './entity.ts'
import { inScimToken } from './scope.ts'

const memberRoles = [roles.guest, roles.reporter, roles.developer, roles.maintainer, roles.owner]

export const createScimToken = endpoint({
  route: 'POST /groups/:id/scim_token',
  summary: 'Turn on the SCIM of a top-level group, or give it a new token',
  scope: inGroup,
  can: 'admin_group_scim',
  params: {
    default_membership_role: Type.Optional(
      Type.Unsafe<Role>({ type: 'integer', enum: memberRoles, description: 'What provisioned members become; 10 (Guest) at first' }),
    ),
  },
  answers: one(ScimTokenWithSecret),
  run: ctx => issueScimToken(ctx, ctx.group, ctx.params.default_membership_role),
})

export const getScimToken = endpoint({
  route: 'GET /groups/:id/scim_token',
  summary: 'Get the state of the SCIM of a group',
  scope: inScimToken,
  can: 'admin_group_scim',
  answers: one(ScimState),
  run: ({ token }) => token,
})

export const deleteScimToken = endpoint({
  route: 'DELETE /groups/:id/scim_token',
  summary: 'Turn off the SCIM of a group',
  scope: inScimToken,
  can: 'admin_group_scim',
  answers: nothing,
  run: ctx => removeScimToken(ctx, ctx.group),
})
