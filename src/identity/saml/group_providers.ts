/**
 * The SAML providers of groups, as providers to sign in by. They are those of owners, not of the operator: one opens the accounts that its group has
 * made by SCIM, and no other. Who has another account signs in to that first, and links the provider to it.
 */
import { Value } from 'typebox/value'
import type { Db } from '../../platform/db/connection.ts'
import type { Provider, ProviderKind, ProviderRules } from '../providers/provider.ts'
import { Attributes, saml } from './kind.ts'

/** What the names of these providers begin with, and their identities have as `provider` in the API. */
export const GROUP_SAML = 'group_saml'

/** Stands for everybody whom the provider knows. */
const EVERYBODY = '*'

/** What one gives: the role of new members. Nothing on the instance. */
const rulesOf = (path: string, access_level: number): ProviderRules => ({
  allow_single_sign_on: false,
  block_auto_created_users: true,
  auto_link_user: false,
  external: false,
  trust_second_factor: false,
  required_groups: [],
  admin_groups: [],
  external_groups: [],
  roles: [{ group: EVERYBODY, path, access_level: access_level as ProviderRules['roles'][number]['access_level'] }],
})

// A provider has the settings of its own kind.
const standard = saml as unknown as ProviderKind

/** SAML, with everybody in one group. */
const groupSaml: ProviderKind = {
  ...standard,
  name: GROUP_SAML,
  byVisit: {
    begin: (...given) => byVisit().begin(...given),
    finish: async (...given) => ({ ...(await byVisit().finish(...given)), groups: [EVERYBODY] }),
    signOut: async (...given) => byVisit().signOut?.(...given),
  },
}

function byVisit() {
  if (!standard.byVisit) throw new Error('people sign in by SAML by going to the provider')
  return standard.byVisit
}

/** The provider of a group that has this name; undefined where there is none, or it is turned off. */
export async function groupProviderNamed(db: Db, name: string): Promise<Provider | undefined> {
  if (!name.startsWith(`${GROUP_SAML}.`)) return undefined
  const row = await db
    .selectFrom('saml_providers')
    .innerJoin('namespaces', 'namespaces.id', 'saml_providers.group_id')
    .innerJoin('routes', 'routes.namespace_id', 'namespaces.id')
    .select([
      'saml_providers.id',
      'saml_providers.group_id',
      'saml_providers.issuer',
      'saml_providers.sso_url',
      'saml_providers.slo_url',
      'saml_providers.certificate',
      'saml_providers.default_membership_role',
      'namespaces.name as group_name',
      'routes.path as full_path',
    ])
    .where('saml_providers.name', '=', name)
    .where('saml_providers.enabled', '=', true)
    .where('namespaces.deleting', '=', false)
    .executeTakeFirst()
  if (!row) return undefined
  const settings = {
    entity_id: row.issuer,
    sso_url: row.sso_url,
    slo_url: row.slo_url ?? undefined,
    certificate: row.certificate,
    name_id_format: 'persistent',
    attributes: Value.Default(Attributes, {}),
    email_verified: false,
    second_factor_contexts: [],
    idp_initiated: false,
    clock_skew: 30,
  }
  return {
    name,
    label: `the sign-in of ${row.group_name}`,
    kind: groupSaml,
    settings,
    private_address: true,
    rules: rulesOf(row.full_path, row.default_membership_role),
    ofGroup: { id: row.group_id, samlProviderId: row.id, path: row.full_path },
  }
}

/**
 * The account that the SCIM of a group has made for the person with this NameID, while they are active there. The group was a top-level group then, and
 * is one now: who owns a subgroup could otherwise move it to the top, choose a provider there, and sign in as those whom the group above has made.
 */
export async function accountMadeByScim(db: Db, groupId: number, uid: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('scim_identities')
    .innerJoin('provisioned_users', join =>
      join
        .onRef('provisioned_users.user_id', '=', 'scim_identities.user_id')
        .onRef('provisioned_users.group_id', '=', 'scim_identities.group_id')
        .onRef('provisioned_users.top_group_id', '=', 'scim_identities.group_id'),
    )
    .innerJoin('namespaces', 'namespaces.id', 'scim_identities.group_id')
    .select('scim_identities.user_id')
    .where('scim_identities.group_id', '=', groupId)
    .where('scim_identities.extern_uid', '=', uid)
    .where('scim_identities.active', '=', true)
    .where('namespaces.parent_id', 'is', null)
    .executeTakeFirst()
  return row?.user_id
}
