/** Lists of projects and groups: those that anybody may find, and one's own. */
import type { Context } from '../../platform/kernel/context.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { type GroupFilters, groupsMatching } from '../../spaces/groups/queries.ts'
import { projectList } from '../../spaces/projects/list.ts'
import type { ProjectFilters } from '../../spaces/projects/queries.ts'
import { groupList } from '../groups/list_view.ts'
import { projectList as projectListView } from '../projects/list_view.ts'
import { areasView } from './areas.ts'

/** The orders of lists of projects with their names, and those of groups. */
const projectOrders = {
  last_activity_at: 'Last activity',
  star_count: 'Most stars',
  name: 'Name',
  created_at: 'Newest',
  updated_at: 'Last change',
} as const
const groupOrders = { name: 'Name', path: 'Path', id: 'Newest' } as const

type ProjectOrder = keyof typeof projectOrders
type GroupOrder = keyof typeof groupOrders

const projectParams = {
  ...listParams,
  search: optional(text('Part of the name, path or description', { maxLength: 255 })),
  topic: optional(text('Only projects with this topic', { maxLength: 255 })),
  language: optional(text('Only projects with this programming language', { maxLength: 255 })),
  order_by: OneOf(Object.keys(projectOrders) as [ProjectOrder, ...ProjectOrder[]], {
    default: 'last_activity_at',
    description: 'What the list is ordered by',
  }),
}

const groupParams = {
  ...listParams,
  search: optional(text('Part of the name or path', { maxLength: 255 })),
  order_by: OneOf(Object.keys(groupOrders) as [GroupOrder, ...GroupOrder[]], {
    default: 'name',
    description: 'What the list is ordered by',
  }),
}

interface Asked {
  readonly page: number
  readonly per_page: number
  readonly search?: string | undefined
  readonly order_by: string
}

/** The bar above a list. `kept`: what a form must send besides. */
function filterBar(
  base: string,
  { search, order_by }: Asked,
  orders: Readonly<Record<string, string>>,
  kept: Readonly<Record<string, string | undefined>> = {},
): Html {
  return html`<form class="filter-bar" action="${base}" role="search" aria-label="In this list"><label class="sr-only" for="search">Filter by name</label><input class="form-control" type="search" id="search" name="search" value="${search ?? ''}" placeholder="Filter by name" data-hotkey="f">${Object.entries(kept).map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">`)}
<label class="sr-only" for="order_by">Order</label><select class="form-control form-select" id="order_by" name="order_by">${Object.entries(orders).map(([value, label]) => html`<option value="${value}"${value === order_by && html` selected`}>${label}</option>`)}</select><button class="btn">Filter</button></form>`
}

interface ProjectsAsked extends Asked {
  readonly topic?: string | undefined
  readonly language?: string | undefined
  readonly order_by: ProjectOrder
}

/** What a page lists. */
interface ListOf<F> {
  readonly title: string
  readonly base: string
  readonly filters: F
  /** Where nothing is found. */
  readonly says: string
  /** The form that makes another one: on the lists of one's own. */
  readonly making?: { readonly href: string; readonly label: string }
}

const headingView = (title: string, making: ListOf<unknown>['making']): Html =>
  html`<div class="heading"><h1>${title}</h1>${making && html`<a class="btn btn-primary" href="${making.href}">${making.label}</a>`}</div>`

async function projectsPage(
  ctx: Context & { readonly params: ProjectsAsked },
  { title, base, current = base, filters, says, making }: ListOf<ProjectFilters> & { readonly current?: string },
) {
  const { search, topic, language, order_by } = ctx.params
  const sort = order_by === 'name' ? 'asc' : 'desc'
  const narrowed = { ...(topic ? { topic: [topic] } : {}), ...(language ? { with_programming_language: language } : {}) }
  const rows = projectList(ctx.db, ctx.actor, { ...filters, ...narrowed, search: search || undefined, order_by, sort })
  const found = await listPage(ctx, rows, ctx.params)
  const kept = { topic, language, ...(filters.starred ? { filter: 'starred' } : {}) }
  return page(ctx, {
    title,
    heading: 'own',
    body: html`${headingView(title, making)}${areasView(ctx, current)}${filterBar(base, ctx.params, projectOrders, kept)}
${topic && html`<p>With the topic <strong>${topic}</strong>. <a href="${base}">All of them</a></p>`}${language && html`<p>In <strong>${language}</strong>. <a href="${base}">All of them</a></p>`}
${found.rows.length > 0 ? projectListView(found.rows) : empty({ icon: 'search', title: 'No projects found', says })}${found.links}`,
  })
}

async function groupsPage(
  ctx: Context & { readonly params: Asked & { readonly order_by: GroupOrder } },
  { title, base, filters, says, making }: ListOf<GroupFilters>,
) {
  const { search, order_by } = ctx.params
  const query = groupsMatching(ctx.db, ctx.actor, { ...filters, search, order_by, sort: order_by === 'id' ? 'desc' : 'asc' })
  const found = await listPage(ctx, query, ctx.params)
  return page(ctx, {
    title,
    heading: 'own',
    body: html`${headingView(title, making)}${areasView(ctx, base)}${filterBar(base, ctx.params, groupOrders)}${found.rows.length > 0 ? groupList(found.rows) : empty({ icon: 'organization', title: 'No groups found', says })}${found.links}`,
  })
}

const exploring = {
  scope: inInstance,
  can: 'read_instance',
  params: projectParams,
  run: (ctx: Context & { readonly params: ProjectsAsked }) =>
    projectsPage(ctx, { title: 'Explore projects', base: '/explore', filters: {}, says: 'No project that you may see matches.' }),
} as const

export const exploreProjects = pageEndpoint({ route: 'GET /explore', summary: 'Show the projects that the caller may see', ...exploring })

export const exploreProjectsByName = pageEndpoint({
  route: 'GET /explore/projects',
  summary: 'Show the projects that the caller may see, at the address that links elsewhere have',
  ...exploring,
})

export const exploreGroups = pageEndpoint({
  route: 'GET /explore/groups',
  summary: 'Show the groups that the caller may see',
  scope: inInstance,
  can: 'read_instance',
  params: groupParams,
  run: ctx =>
    groupsPage(ctx, {
      title: 'Explore groups',
      base: '/explore/groups',
      filters: { all_available: true },
      says: 'No group that you may see matches.',
    }),
})

export const showOwnProjects = pageEndpoint({
  route: 'GET /dashboard/projects',
  summary: 'Show the projects of which one is a member, or those that one starred',
  scope: inInstance,
  can: 'use_instance',
  params: { ...projectParams, filter: OneOf(['member', 'starred'], { default: 'member', description: 'Which projects' }) },
  run: ctx =>
    projectsPage(
      ctx,
      ctx.params.filter === 'starred'
        ? {
            title: 'Starred projects',
            base: '/dashboard/projects',
            current: '/dashboard/projects?filter=starred',
            filters: { starred: true },
            says: 'A star on the page of a project keeps it here.',
          }
        : {
            title: 'Your projects',
            base: '/dashboard/projects',
            filters: { membership: true },
            making: { href: '/projects/new', label: 'New project' },
            says: 'Projects that you create, or whose members make you one of them, appear here.',
          },
    ),
})

export const showOwnGroups = pageEndpoint({
  route: 'GET /dashboard/groups',
  summary: 'Show the groups of which one is a member',
  scope: inInstance,
  can: 'use_instance',
  params: groupParams,
  run: ctx =>
    groupsPage(ctx, {
      title: 'Your groups',
      base: '/dashboard/groups',
      filters: { all_available: false },
      making: { href: '/groups/new', label: 'New group' },
      says: 'Groups that you create, or of which you become a member, appear here.',
    }),
})
