/** All groups of the instance, and what an administrator does with them. */
import { idsOf } from '../../../identity/users/queries.ts'
import { OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { avatar } from '../../../platform/pages/components/avatar.ts'
import { visibilityChip } from '../../../platform/pages/components/chip.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { bytesText } from '../../../platform/pages/components/numbers.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { filterBar, given } from '../../../platform/pages/forms/filter_bar.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { deleteGroup } from '../../../spaces/groups/endpoints.ts'
import { groupPath } from '../../../spaces/groups/pages/place.ts'
import { type GroupFilters, type GroupRow, groupsMatching, statisticsByGroup } from '../../../spaces/groups/queries.ts'
import { inGroup } from '../../../spaces/groups/scope.ts'
import { typedPath } from '../../settings_pages/ending.ts'
import { adminPlace } from '../place.ts'
import { administered, inAdministration } from '../scope.ts'

const LIST = '/admin/groups'

/** The orders, with the direction that people mean by each. */
const orders = {
  name: { label: 'Name', order_by: 'name', sort: 'asc' },
  path: { label: 'Path', order_by: 'path', sort: 'asc' },
  newest: { label: 'Newest', order_by: 'id', sort: 'desc' },
} as const

type Order = keyof typeof orders

export const showAllGroups = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show all groups',
  scope: inAdministration,
  can: 'admin_instance',
  params: {
    ...listParams,
    search: optional(text('Part of the name or path', { maxLength: 255 })),
    level: optional(OneOf(['', 'top'], { description: 'Only those that are in no other group' })),
    order_by: OneOf(Object.keys(orders) as [Order, ...Order[]], { description: 'The order', default: 'name' }),
  },
  async run(ctx) {
    const { search, level, order_by = 'name' } = given(ctx.params)
    const { label: _, ...order } = orders[order_by]
    const filters: GroupFilters = { search, top_level_only: level === 'top', all_available: true, ...order }
    const found = await listPage(ctx, groupsMatching(ctx.db, ctx.actor, filters), ctx.params)
    const sizes = await statisticsByGroup(ctx.db, idsOf(found.rows, 'id'))
    return page(ctx, {
      title: 'Groups',
      place: adminPlace('groups', ctx),
      heading: 'own',
      body: html`<div class="heading"><h1>Groups</h1><a class="btn btn-primary" href="/groups/new">New group</a></div>
${filterBar(LIST, [
  { name: 'search', label: 'Name', value: search, type: 'search' },
  { name: 'level', label: 'Level', value: level, choices: [['top', 'In no other group']], any: 'All' },
  { name: 'order_by', label: 'Order', value: order_by, choices: Object.entries(orders).map(([key, { label }]) => [key, label] as const) },
])}
${found.rows.length > 0 ? html`<ul class="list" data-list>${found.rows.map(group => groupItem(group, sizes.get(group.id)?.storage_size ?? 0))}</ul>` : empty({ icon: 'organization', title: 'No groups', says: 'No group of the instance is like this.' })}${found.links}`,
    })
  },
})

function groupItem(group: GroupRow, size: number): Html {
  const { id, full_name, full_path, visibility, created_at } = group
  return html`<li>${avatar(group, 32, 'square')}<div class="main"><div class="title"><a href="${groupPath(group)}">${full_name}</a> ${visibilityChip(visibility)}</div>
<div class="facts"><span>#${id}</span><span class="break">${full_path}</span><span>${bytesText(size)}</span><span>created ${time(created_at)}</span></div></div>
<div class="row"><a class="btn btn-sm" href="${groupPath(group, '/-/group_members')}">Members<span class="sr-only"> of ${full_path}</span></a><a class="btn btn-sm" href="${groupPath(group, '/-/settings')}">Settings<span class="sr-only"> of ${full_path}</span></a><a class="btn btn-sm btn-danger" href="${LIST}/${id}/delete">Delete<span class="sr-only"> ${full_path}</span></a></div></li>`
}

const typed = typedPath<{ readonly group: { readonly full_path: string } }>(({ group }) => group.full_path)

const removal = form({
  fields: () => typed.fields,
  instead: typed.instead,
  path: `${LIST}/:id/delete`,
  summary: 'Delete a group',
  scope: administered(inGroup),
  of: deleteGroup,
  before: () => html`<p>With its subgroups, all projects in them, and their repositories, issues, merge requests and files.</p>`,
  next: () => LIST,
  notice: 'The group is being deleted.',
  confirms: true,
  button: 'Delete the group',
  look: 'danger',
  cancel: () => LIST,
  frame: ctx => ({ title: `Delete ${ctx.group.full_path}`, place: adminPlace('groups', ctx) }),
})
export const showRemoveGroup = removal.show
export const submitRemoveGroup = removal.submit
