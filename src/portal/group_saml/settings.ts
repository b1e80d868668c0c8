/** The SAML provider of a group in its settings: what the provider is given, its values, and turning it off. */
import { roles } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { copyField } from '../../platform/pages/components/copy.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { deleteSamlProvider, putSamlProvider } from '../../spaces/group_saml/endpoints.ts'
import { serviceAddresses } from '../../spaces/group_saml/entity.ts'
import { type SamlProviderRow, samlProviderOf } from '../../spaces/group_saml/queries.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { roleChoices, roleNames } from '../members/members_view.ts'
import { settingsPlaceOf } from '../place_settings/place.ts'
import type { GroupWithRole } from '../places/planning.ts'
import { groupHome } from '../things/homes.ts'
import { signOnAddress } from './sso.ts'

interface InGroup {
  readonly group: GroupWithRole
}

const path = '/groups/:group_path/-/saml'
const back = ({ group }: InGroup): string => groupPath(group, '/-/saml')
const frame = (ctx: Context & InGroup) => ({ title: 'SAML', place: settingsPlaceOf(ctx, 'saml') })

const field = (label: string, name: string, value: string) =>
  html`<div class="field"><span class="label">${label}</span>${copyField(name, value)}</div>`

export const showSaml = pageEndpoint({
  route: `GET ${path}`,
  summary: 'Show the SAML provider of a group',
  scope: inGroupPage,
  can: 'admin_group_scim',
  async run(ctx) {
    const { db, group } = ctx
    const isTop = group.parent_id === null
    const provider = isTop ? await samlProviderOf(db, group.id) : undefined
    return page(ctx, {
      ...frame(ctx),
      width: 'medium',
      body: provider
        ? providerView(ctx, provider)
        : empty({
            icon: 'organization',
            title: 'No SAML provider',
            says: isTop
              ? 'With SAML the people of the group sign in with the account of their company, and are members from then on.'
              : 'SAML is set up for a top-level group: its people are members of the groups in it.',
            ...(isTop && { action: html`<a class="btn btn-primary" href="${back(ctx)}/edit">Set up</a>` }),
          }),
    })
  },
})

function providerView(ctx: Context & InGroup, provider: SamlProviderRow) {
  const addresses = serviceAddresses(provider, ctx)
  const role = roleNames[provider.default_membership_role] ?? provider.default_membership_role
  return html`<div class="stack">
${field('Address to sign in', 'the address to sign in', signOnAddress(ctx, ctx.group, provider))}
${field('Entity ID and metadata of this server', 'the entity ID of this server', addresses.metadata_url)}
${field('Address for the answers of the provider (ACS)', 'the address for answers', addresses.assertion_consumer_service_url)}
${provider.slo_url !== null && field('Address for requests to sign out (SLO)', 'the address for requests to sign out', addresses.single_logout_service_url)}
<dl class="facts-list"><dt>Provider</dt><dd>${provider.issuer}</dd><dt>People sign in at</dt><dd>${provider.sso_url}</dd><dt>Role of new members</dt><dd>${role}</dd><dt>In use</dt><dd>${provider.enabled ? 'Yes' : 'No: nobody signs in by it'}</dd><dt>Members sign in by it</dt><dd>${provider.enforced ? 'Always in the browser; owners may do without' : 'If they want to'}</dd><dt>Git asks for that too</dt><dd>${provider.enforced && provider.git_check_enforced ? 'Yes' : 'No'}</dd></dl>
<div class="row"><a class="btn" href="${back(ctx)}/edit">Edit</a>${actionButton(ctx, { to: `${back(ctx)}/remove`, face: 'Remove', look: 'danger', asks: 'Remove the SAML provider? Accounts at it are unlinked, and members who came by it leave the group.' })}</div></div>`
}

const editing = form<InGroup>({
  path: `${path}/edit`,
  summary: 'Set up the SAML provider of a group, or change it',
  scope: inGroupPage,
  of: putSamlProvider,
  fields: () => [
    { name: 'issuer', label: 'Entity ID of the provider', hint: 'It stands in the metadata of the provider, as the three below.' },
    { name: 'sso_url', control: 'text', label: 'Address at which people sign in' },
    {
      name: 'slo_url',
      control: 'text',
      label: 'Address at which people sign out',
      hint: 'For single logout: who signs out here is signed out there, and the other way around. Empty where the provider knows none.',
    },
    {
      name: 'certificate',
      label: 'Certificate',
      control: 'textarea',
      hint: 'Begins with -----BEGIN CERTIFICATE-----; there may be several.',
    },
    {
      name: 'default_membership_role',
      label: 'Role of new members',
      control: 'select',
      choices: roleChoices([roles.guest, roles.reporter, roles.developer, roles.maintainer, roles.owner]),
    },
    { name: 'enabled', label: 'People sign in by it' },
    {
      name: 'enforced',
      label: 'Members sign in by it before they see the group',
      hint: 'In the browser, each day. Owners may do without; access tokens and git go on.',
    },
    {
      name: 'git_check_enforced',
      label: 'For git they need such a session too',
      hint: 'With the one above. Tokens, SSH keys and passwords of members open git while they are signed in to the group; jobs, bots and deploy keys go on.',
    },
  ],
  async values({ db, group }) {
    const provider = await samlProviderOf(db, group.id)
    return provider ? { ...provider } : { default_membership_role: roles.guest, enabled: true, enforced: false, git_check_enforced: false }
  },
  next: back,
  notice: 'The SAML provider is saved.',
  button: 'Save',
  cancel: back,
  confirms: true,
  frame,
})

export const showSamlForm = editing.show
export const saveSaml = editing.submit

export const removeSaml = action<InGroup>({
  route: `POST ${path}/remove`,
  of: deleteSamlProvider,
  scope: groupHome.inPage(deleteSamlProvider.scope as never),
  next: back,
  notice: 'The SAML provider is removed.',
  confirms: true,
})
