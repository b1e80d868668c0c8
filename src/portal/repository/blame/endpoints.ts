/** The page of blame. */
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { listParams, pageLinks } from '../../../platform/pages/lists.ts'
import { projectPlace } from '../../../spaces/projects/pages/place.ts'
import { pathCrumbs } from '../files/tree_view.ts'
import { inFilePage } from '../scope.ts'
import { findButton, switchMenu } from '../switcher/menu.ts'
import { blamePanel } from './blame_view.ts'
import { blameOf } from './queries.ts'

export const showBlame = pageEndpoint({
  route: 'GET /:project_path/-/blame/*revision_path',
  summary: 'Show the commits that last changed the lines of a file',
  scope: inFilePage,
  can: 'read_code',
  cost: 'heavy',
  params: { page: listParams.page },
  async run(ctx) {
    const { project, revision, params } = ctx
    const { ref, path } = revision
    const blame = await blameOf(ctx, params.page)
    const pages = blame.kind === 'blocks' ? blame.pages : 1
    const links = pageLinks(ctx.request.address, {
      page: params.page,
      pages,
      next: params.page < pages ? params.page + 1 : undefined,
      previous: params.page > 1 ? params.page - 1 : undefined,
    })
    return page(ctx, {
      title: `Blame of ${path} at ${ref}`,
      place: projectPlace(ctx.actor, project, 'files'),
      heading: 'own',
      body: html`<h1 class="sr-only">Blame of ${path}</h1><div class="heading"><div class="row">${switchMenu({ project, kind: 'blame', ref, path })}${pathCrumbs(project, ref, path)}</div><div class="row">${findButton({ project, ref })}</div></div>${blamePanel({ project, ref, path, blame })}${links}`,
    })
  },
})
