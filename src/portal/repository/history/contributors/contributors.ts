/** The page of those who wrote what a revision holds. */
import { accountsByEmail } from '../../../../identity/emails/queries.ts'
import { preferencesOf } from '../../../../platform/access/preferences.ts'
import { contributions } from '../../../../platform/git/index.ts'
import { slicesOf } from '../../../../platform/kernel/answer/page.ts'
import { empty } from '../../../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../../../platform/pages/forms/declare.ts'
import { page } from '../../../../platform/pages/frame/document.ts'
import { html } from '../../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../../platform/pages/lists.ts'
import { projectPlace } from '../../../../spaces/projects/pages/place.ts'
import { revisionPage } from '../../addresses.ts'
import { inRevisionPage } from '../../scope.ts'
import { personView } from '../people.ts'
import { contributionsChart } from './chart.ts'

export const showContributors = pageEndpoint({
  route: 'GET /:project_path/-/graphs/*revision_path',
  summary: 'Show who contributed to a revision',
  scope: inRevisionPage,
  can: 'read_code',
  cost: 'heavy',
  params: listParams,
  async run(ctx) {
    const { project, repository, revision, params } = ctx
    const found = await contributions(repository, revision.commit)
    const { people } = found
    const most = people[0]?.commits ?? 1
    const list = await listPage(ctx, slicesOf(people), params)
    const accounts = await accountsByEmail(
      ctx.db,
      list.rows.map(({ email }) => email),
    )
    const isFirst = params.page === 1 && people.length > 0
    const chart = isFirst && contributionsChart(found, ctx.now, preferencesOf(ctx.actor).first_day_of_week)
    const row = ({ name, email, commits }: (typeof people)[number]) =>
      html`<tr><td>${personView(accounts, { name, email })}</td><td><a href="${revisionPage(project, 'commits', revision.ref)}?${new URLSearchParams({ author: `<${email}>` }).toString()}">${commits}<span class="sr-only"> ${commits === 1 ? 'commit' : 'commits'} of ${name}</span></a></td><td class="bar"><svg class="share-bar" viewBox="0 0 100 8" preserveAspectRatio="none" height="8" aria-hidden="true"><rect width="${Math.max(1, Math.round((commits / most) * 100))}" height="8"/></svg></td></tr>`
    return page(ctx, {
      title: 'Contributors',
      place: projectPlace(ctx.actor, project, 'commits'),
      heading: 'own',
      body: html`<div class="heading"><h1>Contributors</h1></div><p class="muted">${people.length} ${people.length === 1 ? 'person' : 'people'} wrote what <span class="mono">${revision.ref}</span> holds; merges are not counted.</p>
${chart && html`<section class="section" aria-label="Over time"><h2>Over time</h2>${chart}</section>`}
${people.length === 0 ? empty({ icon: 'people', title: 'No contributors', says: 'The revision has no commits besides merges.' }) : html`<table class="data contributors"><thead><tr><th scope="col">Person</th><th scope="col">Commits</th><th scope="col"><span class="sr-only">Share</span></th></tr></thead><tbody>${list.rows.map(row)}</tbody></table>`}${list.links}`,
    })
  },
})
