/** The SAML provider of a group. The API at 14.0 has no addresses for it; the pages and other clients need some. */
import Type from 'typebox'
import { type Role, roles } from '../../platform/access/abilities.ts'
import { WebAddress } from '../../platform/kernel/addresses/web_address.ts'
import { endpoint, nothing, one } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inGroup } from '../groups/scope.ts'
import { removeSamlProvider, setSamlProvider } from './commands.ts'
import { SamlProvider } from './entity.ts'
import { inSamlProvider } from './scope.ts'

const memberRoles = [roles.guest, roles.reporter, roles.developer, roles.maintainer, roles.owner]

export const getSamlProvider = endpoint({
  route: 'GET /groups/:id/saml_provider',
  summary: 'Get the SAML provider of a group',
  scope: inSamlProvider,
  can: 'admin_group_scim',
  answers: one(SamlProvider),
  run: ({ provider }) => provider,
})

export const putSamlProvider = endpoint({
  route: 'PUT /groups/:id/saml_provider',
  summary: 'Set up the SAML provider of a top-level group, or change it',
  scope: inGroup,
  can: 'admin_group_scim',
  params: {
    issuer: text('The provider, as it names itself', { minLength: 1, maxLength: 1024, examples: ['https://id.example.com/metadata'] }),
    sso_url: WebAddress({ minLength: 1, description: 'Where people sign in', examples: ['https://id.example.com/sso'] }),
    slo_url: optional(
      WebAddress({ description: 'Where it takes requests to sign out, and the answers to its own (single logout); empty: it knows none' }),
    ),
    certificate: text('What it signs with: one or more certificates as PEM', {
      minLength: 1,
      maxLength: 50_000,
      examples: ['-----BEGIN CERTIFICATE-----'],
    }),
    default_membership_role: optional(
      Type.Unsafe<Role>({ type: 'integer', enum: memberRoles, description: 'Level of members who come by it; 10 (Guest) at first' }),
    ),
    enabled: optional(flag('Whether people sign in by it; on at first')),
    enforced: optional(flag('Whether members reach the group in the browser only by it; off at first')),
    git_check_enforced: optional(flag('Whether members with no such session are refused git, where `enforced` is on; off at first')),
  },
  answers: one(SamlProvider),
  run: ctx => setSamlProvider(ctx, ctx.group, ctx.params),
})

export const deleteSamlProvider = endpoint({
  route: 'DELETE /groups/:id/saml_provider',
  summary: 'Remove the SAML provider of a group',
  scope: inSamlProvider,
  can: 'admin_group_scim',
  answers: nothing,
  run: ctx => removeSamlProvider(ctx, ctx.group, ctx.provider),
})
