/** The file finder. */
import { bytes, endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { pages } from '../../../platform/pages/dialect.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { encodePath, revisionPage } from '../addresses.ts'
import { inRevisionPage } from '../scope.ts'
import { switchMenu } from '../switcher/menu.ts'
import { bestPathsOf, MOST_SENT, pathsOf } from './queries.ts'

/** Files that are shown. */
const MOST_SHOWN = 100

export const showFinder = pageEndpoint({
  route: 'GET /:project_path/-/find_file/*revision_path',
  summary: 'Find a file of a revision by some characters of its path',
  scope: inRevisionPage,
  can: 'read_code',
  cost: 'heavy',
  params: { search: text('Characters of the path, in their order', { maxLength: 100, default: '' }) },
  async run(ctx) {
    const { project, repository, revision, params } = ctx
    const { ref, commit } = revision
    const paths = await pathsOf(repository, commit)
    const found = await bestPathsOf(paths, params.search, MOST_SHOWN)
    const base = revisionPage(project, 'blob', ref)
    return page(ctx, {
      title: 'Find a file',
      place: projectPlace(ctx.actor, project, 'files'),
      body: html`<div class="row">${switchMenu({ project, kind: 'find_file', ref, path: '' })}<span class="muted small">${paths.length === 1 ? '1 file' : `${paths.length} files`}</span></div>
<file-finder data-paths="${projectPath(project, `/-/files/${encodePath(commit)}`)}" data-base="${base}" data-sent="${paths.length <= MOST_SENT && 'all'}"><form class="filter-bar" action="${revisionPage(project, 'find_file', ref)}" role="search" aria-label="Files"><label class="sr-only" for="find-file">Characters of the path</label><input class="form-control" type="search" id="find-file" name="search" value="${params.search}" placeholder="Characters of the path" autocomplete="off" autocapitalize="none" spellcheck="false" autofocus><button class="btn">Find</button></form>
<p class="sr-only" role="status"></p>
<ul class="list" data-list>${found.map(path => html`<li><div class="main title"><a href="${base}/${encodePath(path)}">${path}</a></div></li>`)}</ul>
<p class="muted" data-none${found.length > 0 && html` hidden`}>No file fits.</p></file-finder>`,
    })
  },
})

export const listPaths = endpoint({
  route: 'GET /:project_path/-/files/*revision_path',
  summary: 'List the paths of the files of a revision',
  scope: inRevisionPage,
  can: 'read_code',
  cost: 'heavy',
  dialect: pages,
  answers: bytes('application/json'),
  async run({ repository, revision }) {
    const paths = await pathsOf(repository, revision.commit)
    return { body: JSON.stringify(paths.slice(0, MOST_SENT)), etag: `"${revision.commit}"` }
  },
})
