/** The SAML provider of a group as JSON, with what the provider has to know of this server. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { DateTime, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { SamlProviderRow } from './queries.ts'

/** The addresses of this server that the provider is given: the first is its entity id too. */
export const serviceAddresses = ({ name }: Pick<SamlProviderRow, 'name'>, { url }: Pick<Facts, 'url'>) => ({
  metadata_url: `${url}/users/auth/${name}/metadata`,
  assertion_consumer_service_url: `${url}/users/auth/${name}/callback`,
  single_logout_service_url: `${url}/users/auth/${name}/logout`,
})

export const SamlProvider = entity({
  name: 'SamlProvider',
  schema: Type.Object({
    id: integer('ID, as `saml_provider_id` of identities'),
    group_id: integer('ID of the group'),
    issuer: text('The provider, as it names itself'),
    sso_url: text('Where people sign in'),
    slo_url: Nullable(text('Where it takes requests to sign out, and the answers to its own; null: it knows no single logout')),
    certificate: text('What it signs with: one or more certificates as PEM'),
    default_membership_role: integer('Level of members who come by it'),
    enabled: flag('Whether people sign in by it'),
    enforced: flag('Whether members reach the group in the browser only by it'),
    git_check_enforced: flag('Whether members with no such session are refused git, where `enforced` is on'),
    metadata_url: text('Address of the metadata of this server, and its entity ID'),
    assertion_consumer_service_url: text('Where the provider sends its answers to'),
    single_logout_service_url: text('Where the provider sends its requests to sign out to'),
    created_at: DateTime('When it was set up'),
    updated_at: DateTime('When it was changed last'),
  }),
  present: (row: SamlProviderRow, _loaded: undefined, facts) => ({
    id: row.id,
    group_id: row.group_id,
    issuer: row.issuer,
    sso_url: row.sso_url,
    slo_url: row.slo_url,
    certificate: row.certificate,
    default_membership_role: row.default_membership_role,
    enabled: row.enabled,
    enforced: row.enforced,
    git_check_enforced: row.git_check_enforced,
    ...serviceAddresses(row, facts),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
})
