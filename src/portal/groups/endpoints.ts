/** The form of a new group. */
import { pathFromName } from '../../identity/paths/names.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page, part } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { groupAccessRequests } from '../../spaces/access_requests/endpoints.ts'
import { projectsOfGroup } from '../../spaces/group_projects/queries.ts'
import { createGroup } from '../../spaces/groups/endpoints.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import { groupPages, inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { subgroupsOf, visibleGroup } from '../../spaces/groups/queries.ts'
import { inGroupMembersPage } from '../members/scope.ts'
import { projectList } from '../projects/list_view.ts'
import { visibilities } from '../projects/visibilities.ts'
import { childrenOf, groupHome } from './home.ts'
import { groupList } from './list_view.ts'
import { parentField } from './parents.ts'
import { childrenFrame, childrenView } from './tree_view.ts'

/** Subgroups that their page shows. */
const MOST_SUBGROUPS = 200

/** The group that a link names. */
const parentIn = ({ request }: Pick<Context, 'request'>): string | undefined =>
  new URLSearchParams(request.address.split('?')[1]).get('parent_id') ?? undefined

const newGroup = form({
  path: '/groups/new',
  summary: 'Create a group',
  scope: inInstance,
  of: createGroup,
  fields: async ctx => [
    { name: 'name', autofocus: true, hint: 'As people call it.' },
    await parentField(ctx),
    { name: 'path', hint: 'The address of the group: letters, digits, dashes. Made from the name when empty.' },
    { name: 'description', control: 'textarea', hint: 'What it is for.' },
    {
      name: 'visibility',
      control: 'radio',
      hint: '',
      choices: visibilities,
    },
  ],
  values: ctx => ({ visibility: 'private', parent_id: parentIn(ctx) }),
  instead: {
    of: ['path'],
    params: { path: optional(text('Last part of the path; made from the name when empty', { maxLength: 255 })) },
    adapt: async (_ctx, params) => ({ ...params, path: params.path || pathFromName(String(params.name)) }),
  },
  next: (_ctx, group: { readonly full_path: string }) => groupPath(group),
  notice: 'The group was created.',
  button: 'Create group',
  before: () =>
    html`<p class="muted">Is it elsewhere? <a href="/import/gitlab_group/new">Import an archive</a> of it, or <a href="/import/bulk_imports/new">migrate it</a> with its projects from a running server.</p>`,
  async cancel(ctx) {
    const id = parentIn(ctx)
    const parent = id === undefined ? undefined : await visibleGroup(ctx.db, ctx.actor, id)
    return parent ? groupPath(parent) : '/dashboard/groups'
  },
  frame: () => ({ title: 'New group' }),
})

export const showGroup = pageEndpoint({
  route: 'GET /groups/:group_path',
  summary: 'Show the page of a group',
  scope: inGroupPage,
  can: 'read_group',
  dialect: groupPages,
  run: ctx => groupHome(ctx, ctx.group),
})

export const showGroupChildren = pageEndpoint({
  route: 'GET /groups/:group_path/-/children',
  summary: 'Show the subgroups and projects of a group',
  scope: inGroupPage,
  can: 'read_group',
  dialect: groupPages,
  params: { ...listParams, search: optional(text('Part of the name or path', { maxLength: 255 })) },
  async run(ctx) {
    const { group, db, actor, params, request } = ctx
    if (request.headers['turbo-frame'] === childrenFrame(group))
      return part(html`<turbo-frame id="${childrenFrame(group)}">${childrenView(group, await childrenOf(ctx, group))}</turbo-frame>`)
    const { search } = params
    const [groups, projects] = await Promise.all([
      params.page === 1 ? subgroupsOf(db, actor, group.id, { search }).limit(MOST_SUBGROUPS).execute() : [],
      listPage(ctx, projectsOfGroup(db, actor, group, { search, order_by: 'name', sort: 'asc' }), params),
    ])
    const base = groupPath(group, '/-/children')
    return page(ctx, {
      title: 'Subgroups and projects',
      place: groupPlace(actor, group, 'group'),
      body: html`<form class="filter-bar" action="${base}"><label class="sr-only" for="search">Filter by name</label><input class="form-control" type="search" id="search" name="search" value="${search ?? ''}" placeholder="Filter by name" data-hotkey="f"><button class="btn">Filter</button></form>
${groups.length > 0 && html`<h2>Subgroups</h2>${groupList(groups)}`}
<section class="section"><h2>Projects</h2>${projects.rows.length > 0 ? projectList(projects.rows) : empty({ icon: 'repo', title: 'No projects', says: 'No project that you may see matches.' })}${projects.links}</section>`,
    })
  },
})

export const askForAccess = action({
  route: 'POST /groups/:group_path/-/request_access',
  of: groupAccessRequests[1],
  scope: inGroupMembersPage,
  next: ({ group }: { readonly group: { readonly full_path: string } }) => groupPath(group),
  notice: 'Your request waits for an owner of the group.',
})

export const showNewGroup = newGroup.show
export const submitNewGroup = newGroup.submit
