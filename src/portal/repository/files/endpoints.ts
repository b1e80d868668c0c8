/** The pages of directories and files, and files as they are. */
import { nameOf, rawBlob } from '../../../code/repository/files/queries.ts'
import { entryAt, LINK_MODE, type Repository } from '../../../platform/git/index.ts'
import { contentDisposition } from '../../../platform/kernel/answer/disposition.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type ByteAnswer, bytes, endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, optional } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { askFrame, page, redirect } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import { projectPlace } from '../../../spaces/projects/pages/place.ts'
import { projectPages } from '../../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { revisionPage } from '../addresses.ts'
import { directoryButtons, editableAt } from '../editor/buttons.ts'
import { repositoryOf, topicsOfRevision } from '../live.ts'
import { inFilePage, inRevisionPage, type RevisionPath } from '../scope.ts'
import { downloadMenu, findButton, switchMenu } from '../switcher/menu.ts'
import { fileOf } from './blob.ts'
import { isPdf, PDF_POLICY, pictureType } from './blob_kind.ts'
import { fileView } from './blob_view.ts'
import { shownCommit, shownDirectory } from './directory.ts'
import { MOST_ENTRIES, PATIENCE } from './queries.ts'
import { readmePanel } from './readme.ts'
import { pathCrumbs } from './tree_view.ts'

export const showTree = pageEndpoint({
  route: 'GET /:project_path/-/tree/*revision_path',
  summary: 'Show a directory of a revision',
  scope: inRevisionPage,
  can: 'read_code',
  run: ctx => directoryPage(ctx, PATIENCE),
})

// Slots of heavy requests bound the walks of long histories: the page of a directory ends its own after a moment.
export const showLastCommits = pageEndpoint({
  route: 'GET /:project_path/-/last_commits/*revision_path',
  summary: 'Show a directory of a revision with the last commit of every entry',
  scope: inRevisionPage,
  can: 'read_code',
  cost: 'heavy',
  run: ctx => directoryPage(ctx),
})

export const showBlob = pageEndpoint({
  route: 'GET /:project_path/-/blob/*revision_path',
  summary: 'Show a file of a revision',
  scope: inRevisionPage,
  can: 'read_code',
  cost: 'walk',
  params: { plain: optional(flag('The source of a file that would be rendered')) },
  async run(ctx) {
    const { project, repository, revision, params } = ctx
    const { ref, path, commit } = revision
    const entry = path === '' ? ({ type: 'tree' } as const) : await entryAt(repository, commit, path)
    // Links in texts do not say whether they name a file or a directory.
    if (entry?.type === 'tree') return redirect(revisionPage(project, 'tree', ref, path))
    if (entry?.type !== 'blob') throw notFound('File')
    const place = projectPlace(ctx.actor, project, 'files')
    askFrame(ctx, place)
    const file = await fileOf({ ...ctx, blobId: entry.id, isLink: entry.mode === LINK_MODE }, params.plain ?? false)
    return page(ctx, {
      title: `${path} at ${ref}`,
      place,
      heading: 'own',
      body: html`<h1 class="sr-only">${path}</h1><div class="heading"><div class="row">${switchMenu({ project, kind: 'blob', ref, path })}${pathCrumbs(project, ref, path)}</div><div class="row">${findButton({ project, ref })}${file.changing}</div></div>${fileView(file)}`,
    })
  },
})

export const getRaw = endpoint({
  route: 'GET /:project_path/-/raw/*revision_path',
  summary: 'Get a file of a revision as it is',
  scope: inFilePage,
  can: 'read_code',
  scopes: ['read_repository'],
  dialect: projectPages,
  params: { inline: flag('False: as a download', { default: true }) },
  answers: bytes('text/plain; charset=utf-8'),
  errors: ['not_modified'],
  async run({ repository, revision, blobId, params }) {
    const raw = await rawBlob(repository, blobId, nameOf(revision.path))
    const picture = pictureType(revision.path)
    return {
      ...raw,
      headers: {
        ...raw.headers,
        ...(picture === undefined ? {} : { 'content-type': picture }),
        ...(isPdf(revision.path) ? { 'content-type': 'application/pdf', 'content-security-policy': PDF_POLICY } : {}),
        'content-disposition': contentDisposition(params.inline ? 'inline' : 'attachment', nameOf(revision.path)),
      },
    }
  },
})

type Input = Context & { readonly project: ProjectWithRole; readonly repository: Repository; readonly revision: RevisionPath }

/** The page of a directory; `within`: how long it waits for the last commits of its entries, in milliseconds. */
async function directoryPage(ctx: Input, within?: number): Promise<ByteAnswer> {
  const { project, repository, revision } = ctx
  const { ref, path } = revision
  const place = projectPlace(ctx.actor, project, 'files')
  askFrame(ctx, place)
  const [directory, editable] = await Promise.all([
    shownDirectory({ project, server: ctx.url }, repository, revision, within),
    editableAt(ctx, project, repository, ref),
  ])
  if (!directory) {
    if ((await entryAt(repository, revision.commit, path))?.type === 'blob') return redirect(revisionPage(project, 'blob', ref, path))
    throw notFound('Directory')
  }
  return page(ctx, {
    title: path === '' ? `Files at ${ref}` : `${path} at ${ref}`,
    place,
    heading: 'own',
    live: topicsOfRevision(project, ref),
    body: html`<h1 class="sr-only">Files at ${ref}</h1><div class="heading"><div class="row">${switchMenu({ project, kind: 'tree', ref, path })}${pathCrumbs(project, ref, path)}</div><div class="row">${findButton({ project, ref })}${directoryButtons(project, editable, path)}${downloadMenu({ project, ref })}</div></div>
${livePart(
  'directory',
  repositoryOf(project),
  html`${path === '' && (await shownCommit(ctx, project, repository, revision.commit))}${directory.frame}
${await readmePanel(ctx, project, repository, ref, directory.readme)}`,
  'stack',
)}
${directory.total > MOST_ENTRIES && html`<p class="muted">The first ${MOST_ENTRIES} of ${directory.total} entries.</p>`}`,
  })
}
