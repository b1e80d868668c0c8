/** The pages of searches: the instance, a group, a project. */
import { inRepositoryPage } from '../../../code/repository/scope.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer, Endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { integer, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { answerOf } from '../../../platform/pages/answers.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page, redirect } from '../../../platform/pages/frame/document.ts'
import type { Place } from '../../../platform/pages/frame/place.ts'
import { html } from '../../../platform/pages/html.ts'
import { listParams } from '../../../platform/pages/lists.ts'
import { listGroupProjects } from '../../../spaces/group_projects/endpoints.ts'
import { listDescendantGroups, listGroups } from '../../../spaces/groups/endpoints.ts'
import { groupPath, groupPlace } from '../../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../../spaces/groups/pages/scope.ts'
import { visibleGroup } from '../../../spaces/groups/queries.ts'
import { listProjects } from '../../../spaces/projects/endpoints.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { projectAllowing } from '../../../spaces/projects/scope.ts'
import { search, searchGroup, searchProject } from '../endpoints.ts'
import { type PageScope, projectChoices, resultsView, type Searched, scopeNames } from './results_view.ts'

const wide = ['projects', 'groups', 'issues', 'merge_requests', 'milestones', 'users'] as const
const inOne = ['blobs', 'commits', 'issues', 'merge_requests', 'milestones', 'notes', 'users'] as const

/** What is searched in one project at a time: elsewhere the page leads to those of the caller. */
const perProject = ['blobs', 'commits', 'notes'] as const
const everywhere = [...wide, ...perProject] as const

const isPerProject = (scope: PageScope): boolean => (perProject as readonly PageScope[]).includes(scope)

const params = {
  ...listParams,
  search: text('What to look for', { maxLength: 255, default: '' }),
}

const Scope = <const S extends readonly [PageScope, ...PageScope[]]>(scopes: S) =>
  OneOf(scopes, { description: 'Among what kind of things', default: scopes[0] })

type List = readonly [list: Endpoint, params: Readonly<Record<string, unknown>>]

interface Searching {
  readonly of: Endpoint
  /** The list of groups that is searched, and what it is asked for besides. */
  readonly groups?: List
  /** The projects to choose from for what is searched in one of them. */
  readonly projects?: List
  readonly scopes: readonly PageScope[]
  /** The address of the page. */
  readonly base: string
  readonly title: string
  readonly place?: Place
  readonly project?: Searched
  /** Sent besides, as `ref`. */
  readonly others?: Readonly<Record<string, string | undefined>>
}

/** Characters from which on a part of a name is found. */
const SHORTEST_PART = 3

const isWide = (scope: PageScope): boolean => (wide as readonly PageScope[]).includes(scope)

type Params = { readonly search: string; readonly scope: PageScope; readonly page: number; readonly per_page: number }

async function searchPage(
  ctx: Context & { readonly params: Params },
  { of, groups = [of, {}], projects = [of, {}], scopes, base, title, place, project, others = {} }: Searching,
): Promise<ByteAnswer> {
  const { search: words, scope } = ctx.params
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)) as Record<string, string>
  const choosesProject = project === undefined && isPerProject(scope)
  const [list, more] = scope === 'groups' ? groups : choosesProject ? projects : [of, { scope }]
  const { page: at, per_page } = ctx.params
  const sought = choosesProject ? {} : { search: words }
  const found = words.trim() === '' ? undefined : await answerOf(ctx, list, { ...sought, page: at, per_page, ...more, ...given })
  const to = (other: PageScope) => `${base}?${new URLSearchParams({ search: words, scope: other, ...given }).toString()}`
  const results =
    found &&
    (choosesProject && found.rows.length > 0
      ? html`<p>${scopeNames[scope]}: searched in one project at a time. Choose it:</p>${projectChoices(found.rows, words, scope)}${found.links}`
      : found.rows.length > 0
        ? html`${found.total !== undefined && html`<p class="muted" role="status">${found.total} found</p>`}${resultsView(scope, found.rows, project, words)}${found.links}`
        : empty({
            icon: 'search',
            title: 'Nothing found',
            says: html`No ${scopeNames[scope].toLowerCase()} that you may see match “${words}”.${words.trim().length < SHORTEST_PART && ' Parts of names are found from three characters on.'}`,
          }))
  return page(ctx, {
    title,
    ...(place ? { place } : {}),
    body: html`<form class="filter-bar" action="${base}" role="search" aria-label="Here"><label class="sr-only" for="search">Search for</label><input class="form-control" type="search" id="search" name="search" value="${words}" required maxlength="255"${words === '' && html` autofocus`}><input type="hidden" name="scope" value="${scope}">${Object.entries(given).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="btn btn-primary">Search</button></form>
<nav class="subnav" aria-label="Kinds of results">${scopes.map(other => html`<a href="${to(other)}"${other === scope && html` aria-current="page"`}>${scopeNames[other]}</a>`)}</nav>
${place && words !== '' && html`<p><a href="/search?${new URLSearchParams({ search: words, ...(isWide(scope) && { scope }) }).toString()}">Search everywhere</a></p>`}
${results ?? empty({ icon: 'search', title: 'Search', says: 'Names, titles, descriptions; #5 and !5 are the issue and the merge request with that number.' })}`,
  })
}

export const showSearch = pageEndpoint({
  route: 'GET /search',
  summary: 'Search the instance',
  scope: inInstance,
  can: 'use_instance',
  params: {
    ...params,
    scope: Scope(everywhere),
    project_id: optional(integer('ID of a project: leads to its search, as in addresses of the platform', { minimum: 1 })),
    group_id: optional(integer('ID of a group: leads to its search', { minimum: 1 })),
  },
  run: async ctx =>
    (await searchOfPlace(ctx)) ??
    searchPage(ctx, {
      of: search,
      groups: [listGroups, { all_available: true }],
      projects: [listProjects, { order_by: 'last_activity_at', ...(ctx.actor.user && { membership: true }) }],
      scopes: everywhere,
      base: '/search',
      title: 'Search',
    }),
})

/** The redirect to the search of the project, or else the group, that the address names; undefined where it names none. */
async function searchOfPlace(
  ctx: Context & { readonly params: Pick<Params, 'search' | 'scope'> & { readonly project_id?: number; readonly group_id?: number } },
): Promise<ByteAnswer | undefined> {
  const { search: words, scope, project_id, group_id } = ctx.params
  const query = (scopes: readonly PageScope[]) =>
    new URLSearchParams({ search: words, ...(scopes.includes(scope) && { scope }) }).toString()
  if (project_id !== undefined) {
    const project = await projectAllowing(ctx, String(project_id), 'search_project')
    if (!project) throw notFound('Project')
    return redirect(projectPath(project, `/-/search?${query(inOne)}`))
  }
  if (group_id === undefined) return undefined
  const group = await visibleGroup(ctx.db, ctx.actor, String(group_id))
  if (!group) throw notFound('Group')
  return redirect(groupPath(group, `/-/search?${query(everywhere)}`))
}

export const showGroupSearch = pageEndpoint({
  route: 'GET /groups/:group_path/-/search',
  summary: 'Search a group and the groups below it',
  scope: inGroupPage,
  can: 'search_group',
  params: { ...params, scope: Scope(everywhere) },
  run: ctx =>
    searchPage(ctx, {
      of: searchGroup,
      groups: [listDescendantGroups, {}],
      projects: [listGroupProjects, { include_subgroups: true, order_by: 'last_activity_at' }],
      scopes: everywhere,
      base: groupPath(ctx.group, '/-/search'),
      title: `Search ${ctx.group.name}`,
      place: groupPlace(ctx.actor, ctx.group, 'search'),
    }),
})

export const showProjectSearch = pageEndpoint({
  route: 'GET /:project_path/-/search',
  summary: 'Search a project, its commits and its files',
  scope: inRepositoryPage,
  can: 'search_project',
  cost: 'heavy',
  params: {
    ...params,
    scope: Scope(inOne),
    ref: optional(text('The branch or tag whose commits and files are searched', { maxLength: 1024 })),
  },
  run: ctx =>
    searchPage(ctx, {
      of: searchProject,
      scopes: inOne,
      base: projectPath(ctx.project, '/-/search'),
      title: `Search ${ctx.project.name}`,
      place: projectPlace(ctx.actor, ctx.project, 'search'),
      project: ctx.project,
      others: { ref: ctx.params.ref },
    }),
})
