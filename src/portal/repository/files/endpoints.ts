/** The pages of directories. */
import { notFound } from '../../../platform/kernel/errors.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { projectPlace } from '../../../spaces/projects/pages/place.ts'
import { inRevisionPage } from '../scope.ts'
import { directoryAt, MOST_ENTRIES } from './queries.ts'
import { pathCrumbs, treeTable } from './tree_view.ts'

export const showTree = pageEndpoint({
  route: 'GET /:project_path/-/tree/*revision_path',
  summary: 'Show a directory of a revision',
  scope: inRevisionPage,
  can: 'read_code',
  async run(ctx) {
    const { project, repository, revision } = ctx
    const directory = await directoryAt(repository, revision.commit, revision.path)
    if (!directory) throw notFound('Directory')
    return page(ctx, {
      title: revision.path === '' ? `Files at ${revision.ref}` : `${revision.path} at ${revision.ref}`,
      place: projectPlace(ctx.actor, project, 'files'),
      heading: 'own',
      body: html`<div class="heading"><h1 class="sr-only">Files at ${revision.ref}</h1>${pathCrumbs(project, revision.ref, revision.path)}</div>
<div class="panel">${treeTable({ project, ref: revision.ref, path: revision.path, ...directory })}</div>
${directory.total > MOST_ENTRIES && html`<p class="muted">The first ${MOST_ENTRIES} of ${directory.total} entries.</p>`}`,
    })
  },
})
