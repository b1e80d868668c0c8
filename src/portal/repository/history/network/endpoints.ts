/** The page of the graph of commits. */
import { accountsByEmail } from '../../../../identity/emails/queries.ts'
import { requireCommits } from '../../../../platform/git/index.ts'
import { flag, integer, optional } from '../../../../platform/kernel/declaration/types.ts'
import { pageEndpoint } from '../../../../platform/pages/forms/declare.ts'
import { page } from '../../../../platform/pages/frame/document.ts'
import { html } from '../../../../platform/pages/html.ts'
import { pageLinks, withParameter } from '../../../../platform/pages/lists.ts'
import { projectPlace } from '../../../../spaces/projects/pages/place.ts'
import { revisionPage } from '../../addresses.ts'
import { inRevisionPage } from '../../scope.ts'
import { switchMenu } from '../../switcher/menu.ts'
import { drawnRows } from './lanes.ts'
import { MOST_LANES, networkTable } from './network_view.ts'
import { graphOf, MOST_COMMITS, namesOfCommits } from './queries.ts'

/** Rows of a page. */
const ROWS = 100

export const showNetwork = pageEndpoint({
  route: 'GET /:project_path/-/network/*revision_path',
  summary: 'Show the graph of commits',
  scope: inRevisionPage,
  can: 'read_code',
  cost: 'heavy',
  params: {
    filter_ref: flag('Only the history of the revision; that of all branches and tags otherwise', { default: false }),
    page: optional(integer('Page number, from 1; the one with the revision unless given', { minimum: 1 })),
  },
  async run(ctx) {
    const { project, repository, revision, params } = ctx
    const { ref, commit } = revision
    const names = await namesOfCommits(repository)
    const graph = await graphOf(repository, params.filter_ref ? [commit] : [commit, ...names.keys()])
    const at = graph.ids.indexOf(commit)
    const pages = Math.max(1, Math.ceil(graph.ids.length / ROWS))
    const number = params.page ?? (at < 0 ? 1 : Math.floor(at / ROWS) + 1)
    const drawn = drawnRows(graph, (number - 1) * ROWS, number * ROWS, MOST_LANES)
    const commits = await requireCommits(
      repository,
      drawn.map(({ id }) => id),
    )
    const rows = commits.map((found, index) => ({ ...(drawn[index] as (typeof drawn)[number]), commit: found }))
    const accounts = await accountsByEmail(
      ctx.db,
      commits.map(({ author }) => author.email),
    )
    const { address } = ctx.request
    const links = pageLinks(address, {
      page: number,
      pages,
      next: number < pages ? number + 1 : undefined,
      previous: number > 1 ? number - 1 : undefined,
    })
    const choice = (text: string, only: boolean) =>
      html`<a href="${withParameter(withParameter(address, 'page', undefined), 'filter_ref', only ? '1' : undefined)}"${params.filter_ref === only && html` aria-current="page"`}>${text}</a>`
    return page(ctx, {
      title: `Graph of ${ref}`,
      place: projectPlace(ctx.actor, project, 'commits'),
      heading: 'own',
      body: html`<div class="heading"><h1>Graph</h1><div class="row">${switchMenu({ project, kind: 'network', ref, path: '' })}<a class="btn btn-sm" href="${revisionPage(project, 'commits', ref)}">List</a></div></div>
<nav class="subnav" aria-label="History">${choice('All branches and tags', false)}${choice(`Only ${ref}`, true)}</nav>
${at < 0 && html`<p class="muted">${ref} is not among the newest ${MOST_COMMITS} commits of all branches and tags.</p>`}${graph.ids.length === MOST_COMMITS && html`<p class="muted">The newest ${MOST_COMMITS} commits are drawn.</p>`}
${rows.length > 0 ? networkTable({ project, rows, names, accounts, current: commit }) : html`<p class="muted">The graph has ${pages} ${pages === 1 ? 'page' : 'pages'}.</p>`}${links}`,
    })
  },
})
