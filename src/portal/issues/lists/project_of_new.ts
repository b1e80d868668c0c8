/** Where a new issue is to be: the lists of a group and of one's own have issues of many projects. */
import type { Rows } from '../../../platform/kernel/answer/page.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { avatar } from '../../../platform/pages/components/avatar.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { projectsOfGroup } from '../../../spaces/group_projects/queries.ts'
import { groupPath, groupPlace } from '../../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../../spaces/groups/pages/scope.ts'
import { projectList } from '../../../spaces/projects/list.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'

const params = { ...listParams, search: optional(text('Part of the name, path or description', { maxLength: 255 })) }

/** Projects in which there are issues to be opened, those that were used last first. */
const open = { archived: false, with_issues_enabled: true, order_by: 'last_activity_at', sort: 'desc' } as const

interface Asked {
  readonly page: number
  readonly per_page: number
  readonly search?: string | undefined
}

const item = (project: ProjectRow): Html =>
  html`<li>${avatar(project, 32, 'square')}<div class="main"><div class="title"><a href="${projectPath(project, '/-/issues/new')}"><span class="muted">${project.namespace_full_path} / </span>${project.name}</a></div></div></li>`

/** The projects to choose from, with a filter by their names. */
async function choices(ctx: Context & { readonly params: Asked }, base: string, rows: Rows<ProjectRow>): Promise<Html> {
  const { search } = ctx.params
  const found = await listPage(ctx, rows, ctx.params)
  return html`<div class="heading"><h1>New issue</h1></div><p>Choose the project that it is about.</p>
<form class="filter-bar" action="${base}" role="search" aria-label="In this list"><label class="sr-only" for="search">Filter by name</label><input class="form-control" type="search" id="search" name="search" value="${search ?? ''}" placeholder="Filter by name" data-hotkey="f"><button class="btn">Filter</button></form>
${found.rows.length > 0 ? html`<ul class="list" data-list>${found.rows.map(item)}</ul>` : empty({ icon: 'search', title: 'No projects found', says: 'Projects that have issues and are not archived are listed.' })}${found.links}`
}

export const chooseInGroup = pageEndpoint({
  route: 'GET /groups/:group_path/-/issues/new',
  summary: 'Choose the project of a new issue of a group',
  scope: inGroupPage,
  can: 'read_group',
  params,
  async run(ctx) {
    const { actor, db, group } = ctx
    const filters = { ...open, search: ctx.params.search || undefined, include_subgroups: true, with_shared: false }
    return page(ctx, {
      title: 'New issue',
      heading: 'own',
      place: groupPlace(actor, group, 'issues'),
      body: await choices(ctx, groupPath(group, '/-/issues/new'), projectsOfGroup(db, actor, group, filters)),
    })
  },
})

export const chooseAmongOwn = pageEndpoint({
  route: 'GET /dashboard/issues/new',
  summary: 'Choose the project of a new issue',
  scope: inInstance,
  can: 'use_instance',
  params,
  async run(ctx) {
    const filters = { ...open, search: ctx.params.search || undefined, membership: true }
    return page(ctx, {
      title: 'New issue',
      heading: 'own',
      body: await choices(ctx, '/dashboard/issues/new', projectList(ctx.db, ctx.actor, filters)),
    })
  },
})
