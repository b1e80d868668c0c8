/** What a job left: the folders of its archive, and a file of it shown in place. */

import { downloadArtifactFile } from '../../ci/artifacts/endpoints.ts'
import { isPathInside, mediaTypeOf } from '../../ci/artifacts/file.ts'
import { requireArtifactAccess } from '../../ci/artifacts/scope.ts'
import { contentsOf, findEntry, isReadable, type ListedFolder, listFolder, UnfitZip } from '../../ci/artifacts/zip/index.ts'
import type { ArtifactRow } from '../../ci/jobs/entities/artifacts.ts'
import type { JobRow } from '../../ci/jobs/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { badRequest, notFound } from '../../platform/kernel/errors.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { bytesText } from '../../platform/pages/components/numbers.ts'
import { pages } from '../../platform/pages/dialect.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { withoutEndingSlashes } from '../../platform/patterns/slashes.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { encodePath } from '../repository/addresses.ts'
import { inArchivePage } from './changes.ts'
import { JOB, jobPath } from './scope.ts'

type Caller = Context & { readonly project: ProjectWithRole; readonly job: JobRow; readonly archive: ArtifactRow }

/** Entries of a folder that are shown. */
const MOST_ENTRIES = 1_000

/** Bytes of a file that are shown. */
const MOST_SHOWN = 256 * 1024

const artifact_path = text('Path inside the archive', { minLength: 1, maxLength: 65_535, examples: ['out/hello.txt'] })

/** A page about the archive: `path` as crumbs, then `body`. */
const archivePage = (ctx: Caller, path: string, buttons: Html | undefined, body: Html): Promise<ByteAnswer> => {
  const { project, job } = ctx
  const segments = path.split('/').filter(segment => segment !== '')
  const crumbs = segments.map((segment, index) =>
    index === segments.length - 1
      ? html` / <strong>${segment}</strong>`
      : html` / <a href="${browsePath(ctx, segments.slice(0, index + 1).join('/'))}">${segment}</a>`,
  )
  return page(ctx, {
    title: path === '' ? `Artifacts of ${job.name}` : `${path} of ${job.name}`,
    place: projectPlace(ctx.actor, project, 'pipelines'),
    heading: 'own',
    body: html`<div class="heading"><h1>Artifacts of <a href="${jobPath(project, job)}">${job.name}</a></h1><div class="row">${buttons}<a class="btn btn-sm" href="${jobPath(project, job, '/artifacts/download')}" data-turbo="false" download>${icon('download')} All</a></div></div>
<p class="mono"><a href="${browsePath(ctx)}">artifacts</a>${crumbs}</p>
${body}`,
  })
}

const browsePath = ({ project, job }: Caller, path = ''): string =>
  jobPath(project, job, `/artifacts/browse${path === '' ? '' : `/${encodePath(path)}`}`)

async function folderPage(ctx: Caller, path: string): Promise<ByteAnswer> {
  await requireArtifactAccess(ctx, ctx.project, ctx.job)
  const folder = path === '' ? '' : `${withoutEndingSlashes(path)}/`
  const { entries, isCut } = await readFolder(ctx, folder)
  if (entries.length === 0 && folder !== '') throw notFound('Folder')
  const { project, job } = ctx
  const hrefOf = (name: string) =>
    name.endsWith('/')
      ? browsePath(ctx, `${folder}${name.slice(0, -1)}`)
      : jobPath(project, job, `/artifacts/file/${encodePath(`${folder}${name}`)}`)
  const body =
    entries.length === 0
      ? empty({ icon: 'archive', title: 'An empty archive', says: 'The job left no files.' })
      : html`<ul class="list" data-list>${entries.map(({ name, size }) => html`<li>${icon(size === undefined ? 'file-directory-fill' : 'file', size === undefined ? 'Folder' : 'File')}<div class="main"><div class="title"><a class="mono" href="${hrefOf(name)}">${name}</a></div></div>${size !== undefined && html`<div class="facts">${bytesText(size)}</div>`}</li>`)}</ul>${isCut && html`<p class="muted">The first ${MOST_ENTRIES} entries are shown. The archive has all of them.</p>`}`
  return archivePage(ctx, folder.slice(0, -1), undefined, body)
}

async function readFolder({ deps, archive }: Caller, folder: string): Promise<ListedFolder> {
  try {
    return await listFolder(deps.objects, archive, folder, MOST_ENTRIES)
  } catch (error) {
    // A runner may upload what is no zip; it can be downloaded only.
    if (error instanceof UnfitZip) return { entries: [], isCut: false }
    throw error
  }
}

export const showArtifacts = pageEndpoint({
  route: `GET ${JOB}/artifacts/browse`,
  summary: 'Show the artifacts of a job',
  scope: inArchivePage,
  can: 'read_job',
  run: ctx => folderPage(ctx, ''),
})

export const showFolder = pageEndpoint({
  route: `GET ${JOB}/artifacts/browse/*artifact_path`,
  summary: 'Show a folder of the artifacts of a job',
  scope: inArchivePage,
  can: 'read_job',
  params: { artifact_path: text('Path of a folder inside the archive', { minLength: 1, maxLength: 65_535, examples: ['out'] }) },
  run: ctx => folderPage(ctx, ctx.params.artifact_path),
})

export const showFile = pageEndpoint({
  route: `GET ${JOB}/artifacts/file/*artifact_path`,
  summary: 'Show a file of the artifacts of a job',
  scope: inArchivePage,
  can: 'read_job',
  params: { artifact_path },
  async run(ctx) {
    const { project, job, archive, deps, params } = ctx
    await requireArtifactAccess(ctx, project, job)
    const path = params.artifact_path
    if (!isPathInside(path)) throw badRequest('the path is invalid')
    const entry = await findEntry(deps.objects, archive, path).catch(error => {
      if (error instanceof UnfitZip) return undefined
      throw error
    })
    if (!entry || !isReadable(entry)) throw notFound('File')
    const { size } = entry.record
    const raw = jobPath(project, job, `/artifacts/raw/${encodePath(path)}`)
    const download = html`<a class="btn btn-sm" href="${raw}" data-turbo="false" download>${icon('download')} ${bytesText(size)}</a>`
    if (mediaTypeOf(path).startsWith('image/'))
      return archivePage(
        ctx,
        path,
        download,
        html`<div class="panel"><div class="body picture"><img src="${raw}" alt="${path}"></div></div>`,
      )
    const bytes = await beginningOf(entry)
    const body = bytes.includes(0)
      ? html`<p class="body muted">The file is not a text: download it to see what it holds.</p>`
      : html`<pre class="body output" tabindex="0">${bytes.toString('utf8')}</pre>${size > MOST_SHOWN && html`<p class="body muted">The first ${bytesText(MOST_SHOWN)} are shown.</p>`}`
    return archivePage(ctx, path, download, html`<div class="panel">${body}</div>`)
  },
})

/** The first bytes of a file; the rest is not read. */
async function beginningOf(entry: Parameters<typeof contentsOf>[0]): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of await contentsOf(entry)) {
    pieces.push(piece as Buffer)
    length += (piece as Buffer).length
    if (length >= MOST_SHOWN) break
  }
  return Buffer.concat(pieces).subarray(0, MOST_SHOWN)
}

const { jobToken: _, ...ofFile } = downloadArtifactFile

/** A file as it is: the answer of the API, by a session. */
export const getFile = {
  ...ofFile,
  route: `GET ${JOB}/artifacts/raw/*artifact_path` as const,
  path: `${JOB}/artifacts/raw/*artifact_path` as const,
  scope: inArchivePage as never,
  dialect: pages,
  shows: downloadArtifactFile.route,
}
