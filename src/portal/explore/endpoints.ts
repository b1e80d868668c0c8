/** Projects that anybody may find. */
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { projectsMatching } from '../../spaces/projects/queries.ts'
import { projectList } from '../projects/list_view.ts'

/** The orders of the list with their names. */
const orders = { last_activity_at: 'Last activity', name: 'Name', created_at: 'Created' } as const

export const exploreProjects = pageEndpoint({
  route: 'GET /explore',
  summary: 'Show the projects that the caller may see',
  scope: inInstance,
  can: 'read_instance',
  params: {
    ...listParams,
    search: optional(text('Part of the name, path or description', { maxLength: 255 })),
    topic: optional(text('Only projects with this topic', { maxLength: 255 })),
    order_by: OneOf(['last_activity_at', 'name', 'created_at'], {
      default: 'last_activity_at',
      description: 'What the list is ordered by',
    }),
  },
  async run(ctx) {
    const { search, topic, order_by } = ctx.params
    const sort = order_by === 'name' ? 'asc' : 'desc'
    const found = await listPage(
      ctx,
      projectsMatching(ctx.db, ctx.actor, { search, order_by, sort, ...(topic ? { topic: [topic] } : {}) }),
      ctx.params,
    )
    return page(ctx, {
      title: 'Explore projects',
      body: html`<form class="filter-bar" action="/explore"><label class="sr-only" for="search">Filter by name</label><input class="form-control" type="search" id="search" name="search" value="${search ?? ''}" placeholder="Filter by name">
<label class="sr-only" for="order_by">Order</label><select class="form-control form-select" id="order_by" name="order_by">${Object.entries(orders).map(([value, label]) => html`<option value="${value}"${value === order_by && html` selected`}>${label}</option>`)}</select><button class="btn">Filter</button></form>
${found.rows.length > 0 ? projectList(found.rows) : empty({ icon: 'search', title: 'No projects found', says: 'No project that you may see matches.' })}${found.links}`,
    })
  },
})
