/** The SCIM of a group: what its identity provider is given, turning it on, a new token, and turning it off. */
import { roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { copyField } from '../../platform/pages/components/copy.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { time } from '../../platform/pages/components/time.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { type FreshScimToken, provisioningRefusal } from '../../spaces/scim_tokens/commands.ts'
import { createScimToken, deleteScimToken } from '../../spaces/scim_tokens/endpoints.ts'
import { scimUrl } from '../../spaces/scim_tokens/entity.ts'
import { scimTokenOf } from '../../spaces/scim_tokens/queries.ts'
import { roleChoices, roleNames } from '../members/members_view.ts'
import { settingsPlaceOf } from '../place_settings/place.ts'
import type { GroupWithRole } from '../places/planning.ts'
import { groupHome } from '../things/homes.ts'
import { secretPage } from '../things/secret_once.ts'

interface InGroup {
  readonly group: GroupWithRole
}

const path = '/groups/:group_path/-/settings/scim'
const back = ({ group }: InGroup): string => groupPath(group, '/-/settings/scim')
const frameOf = (title: string) => (ctx: Context & InGroup) => ({ title, place: settingsPlaceOf(ctx, 'scim') })

const endpointField = (ctx: Context & InGroup) =>
  html`<div class="field"><span class="label">Address for the identity provider</span>${copyField('the address for the identity provider', scimUrl(ctx.group, ctx))}</div>`

export const showScim = pageEndpoint({
  route: `GET ${path}`,
  summary: 'Show the SCIM of a group',
  scope: inGroupPage,
  can: 'admin_group_scim',
  async run(ctx) {
    const { db, group } = ctx
    const token = group.parent_id === null ? await scimTokenOf(db, group.id) : undefined
    const issue = (label: string) => html`<a class="btn${token ? '' : ' btn-primary'}" href="${back(ctx)}/token">${label}</a>`
    const refusal = await provisioningRefusal(db, { enabled_by_admin: isAdmin(ctx.actor) })
    const off = html`${empty({
      icon: 'people',
      title: 'SCIM is off',
      says:
        group.parent_id === null
          ? html`With SCIM an identity provider makes the accounts of the group’s people, changes them, and takes those who leave out of it. <a href="/help/sign-in#accounts-by-scim">How it works</a>${refusal !== undefined && html`<br>${refusal}.`}`
          : 'SCIM is turned on for a top-level group: its people are members of the groups in it.',
      ...(group.parent_id === null && refusal === undefined && { action: issue('Turn on') }),
    })}`
    return page(ctx, {
      ...frameOf('SCIM')(ctx),
      width: 'medium',
      body: token
        ? html`<div class="stack">${endpointField(ctx)}<dl class="facts-list"><dt>Role of new members</dt><dd>${roleNames[token.default_membership_role] ?? token.default_membership_role}</dd><dt>Token made</dt><dd>${time(token.created_at)}</dd></dl><div class="row">${issue('New token')}${actionButton(ctx, { to: `${back(ctx)}/remove`, face: 'Turn off', look: 'danger', asks: 'Turn SCIM off? The token stops working now; accounts and members stay.' })}</div></div>`
        : off,
    })
  },
})

const issuing = form<InGroup>({
  path: `${path}/token`,
  summary: 'Turn on the SCIM of a group, or give it a new token',
  scope: inGroupPage,
  of: createScimToken,
  fields: () => [
    {
      name: 'default_membership_role',
      label: 'Role of new members',
      control: 'select',
      choices: roleChoices([roles.guest, roles.reporter, roles.developer, roles.maintainer, roles.owner]),
      hint: 'Of people whom the identity provider adds from now on.',
    },
  ],
  async values({ db, group }) {
    const token = await scimTokenOf(db, group.id)
    return { default_membership_role: token?.default_membership_role ?? roles.guest }
  },
  before: () => html`<p>A new token takes the place of the one there is, which stops working now. It is shown once.</p>`,
  next: back,
  notice: 'SCIM is on.',
  answered: (ctx, { token }: FreshScimToken) =>
    secretPage(ctx, { name: 'SCIM', token }, { ...frameOf('SCIM')(ctx), back: [back(ctx), 'Back to: SCIM'], besides: endpointField(ctx) }),
  button: 'Make token',
  cancel: back,
  confirms: true,
  frame: frameOf('SCIM token'),
})

export const showScimToken = issuing.show
export const issueScimToken = issuing.submit

export const removeScimToken = action<InGroup>({
  route: `POST ${path}/remove`,
  of: deleteScimToken,
  scope: groupHome.inPage(deleteScimToken.scope as never),
  next: back,
  notice: 'SCIM is off: the token opens nothing any more.',
  confirms: true,
})
