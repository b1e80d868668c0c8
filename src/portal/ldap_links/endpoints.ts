/** The links of a group to directories: the list, a new one, asking the directories again, and ending a link. */
import { directoriesOf } from '../../identity/ldap/directories.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { addLdapGroupLink, removeLdapGroupLink, syncLdapGroup } from '../../spaces/ldap_links/endpoints.ts'
import { type LdapLinkRow, linkById, linksOf } from '../../spaces/ldap_links/queries.ts'
import { roleChoices, roleNames } from '../members/members_view.ts'
import { settingsPlaceOf } from '../place_settings/place.ts'
import type { GroupWithRole } from '../places/planning.ts'

interface InGroup {
  readonly group: GroupWithRole
}

const path = '/groups/:group_path/-/settings/ldap'
const back = ({ group }: InGroup): string => groupPath(group, '/-/settings/ldap')
const NO_DIRECTORY =
  'This instance has no LDAP directory that people sign in by. Administrators describe one in the file of sign-in providers.'
const frameOf = (title: string) => (ctx: Context & InGroup) => ({ title, place: settingsPlaceOf(ctx, 'ldap_links') })

/** `:link_id` becomes a link of the group, or 404. */
const inLinkPage = within(inGroupPage, {
  name: 'inLdapLinkPage',
  path: { link_id: integer('ID of a link') },
  async load({ db, group }, { link_id }) {
    const link = await linkById(db, group.id, link_id)
    if (!link) throw notFound('Linked LDAP Group')
    return { link }
  },
})

const linkItem = (ctx: Context & InGroup, { id, cn, filter, provider, access_level }: LdapLinkRow) => {
  const called = cn ?? filter ?? ''
  return html`<li>${icon('organization')}<div class="main"><div class="title">${cn === null ? html`<code>${called}</code>` : called}</div><div class="facts"><span>${cn === null ? 'Filter' : 'Group'} of ${provider}</span></div></div><div class="row">${chip(roleNames[access_level] ?? String(access_level))}${actionButton(ctx, { to: `${back(ctx)}/${id}/remove`, face: 'Remove', look: 'danger', label: `Remove: ${called}`, asks: `Remove the link to ${called}? Who is a member by it alone leaves the group.` })}</div></li>`
}

export const showLdapLinks = pageEndpoint({
  route: `GET ${path}`,
  summary: 'Show the links of a group to directories',
  scope: inGroupPage,
  can: 'admin_group_ldap',
  tier: 'premium',
  params: listParams,
  async run(ctx) {
    const found = await listPage(ctx, linksOf(ctx.db, ctx.group.id), ctx.params)
    const hasDirectory = directoriesOf(ctx.deps.config).length > 0
    const add = hasDirectory && html`<a class="btn btn-primary" href="${back(ctx)}/new">Add link</a>`
    const none = empty({
      icon: 'organization',
      title: hasDirectory ? 'No links' : 'No directory',
      says: hasDirectory ? 'People of a group of the directory are members of this group as long as they are in that one.' : NO_DIRECTORY,
    })
    return page(ctx, {
      ...frameOf('LDAP')(ctx),
      heading: 'own',
      width: 'medium',
      body: html`<div class="heading"><h1>LDAP</h1><div class="row">${found.rows.length > 0 && actionButton(ctx, { to: `${back(ctx)}/sync`, face: 'Ask the directory now' })}${add}</div></div>
${found.rows.length > 0 ? html`<p class="muted">Members follow the directory at each sign-in and every hour. Of several links the highest role counts; members that were added by hand, and the last owner, stay.</p><ul class="list">${found.rows.map(row => linkItem(ctx, row))}</ul>${found.links}` : none}`,
    })
  },
})

const adding = form<InGroup>({
  path: `${path}/new`,
  summary: 'Link a group to a directory',
  scope: inGroupPage,
  of: addLdapGroupLink,
  fields: ({ deps }) => [
    {
      name: 'provider',
      label: 'Directory',
      control: 'select',
      choices: directoriesOf(deps.config).map(({ name, label }) => [name, label] as const),
      hint: '',
    },
    { name: 'cn', label: 'Group', hint: 'Its name (cn) in the directory.', autofocus: true },
    { name: 'filter', label: 'Filter', hint: 'Finds the people, in place of a group: (department=Research)' },
    { name: 'group_access', label: 'Role', control: 'select', choices: roleChoices([10, 20, 30, 40, 50]), hint: '' },
  ],
  before: ({ deps }) =>
    directoriesOf(deps.config).length === 0 ? html`<p class="notice attention"><span>${NO_DIRECTORY}</span></p>` : undefined,
  values: () => ({ group_access: 30 }),
  next: back,
  cancel: back,
  notice: 'The link was added. The directory is asked now.',
  button: 'Add link',
  confirms: true,
  frame: frameOf('Add a link to a directory'),
})

export const showLdapLinkForm = adding.show
export const addLdapLink = adding.submit

export const removeLdapLink = action<InGroup>({
  route: `POST ${path}/:link_id/remove`,
  of: removeLdapGroupLink,
  scope: inLinkPage as unknown as Scope<InGroup>,
  next: back,
  notice: 'The link was removed. Who was a member by it alone leaves with the next look at the directory.',
  confirms: true,
})

export const syncLdapLinks = action<InGroup>({
  route: `POST ${path}/sync`,
  of: syncLdapGroup,
  scope: inGroupPage as unknown as Scope<InGroup>,
  next: back,
  notice: 'The directory is asked in the background.',
})
