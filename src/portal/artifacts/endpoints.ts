/** The artifacts of a project: which jobs have left some, how large they are and until when they are kept; single ones, some or all are deleted. */
import { deleteArtifact, deleteArtifactsOfJobs, listArtifacts } from '../../ci/artifacts/by_job/endpoints.ts'
import { loadByJob } from '../../ci/artifacts/by_job/entity.ts'
import { afterJob, artifactsSizeOf, type ByJobFilters, jobsWithArtifacts } from '../../ci/artifacts/by_job/queries.ts'
import { artifactPath, findArtifact } from '../../ci/artifacts/by_job/scope.ts'
import { deleteArtifacts, deleteProjectArtifacts, keepArtifacts } from '../../ci/artifacts/endpoints.ts'
import { keepsPrivateArtifacts } from '../../ci/artifacts/scope.ts'
import type { JobRow } from '../../ci/jobs/queries.ts'
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { bytesText } from '../../platform/pages/components/numbers.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { filterBar, type ListOrder, orderLinks } from '../../platform/pages/forms/filter_bar.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { referringPath } from '../../platform/pages/frame/local_path.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { withParameter } from '../../platform/pages/lists.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { inArchivePage } from '../jobs/changes.ts'
import { inJobPage } from '../jobs/scope.ts'
import { artifactsList } from './list_view.ts'

const LIST = '/:project_path/-/artifacts'

const MOST = 100

const listPath = (project: { readonly full_path: string }): string => projectPath(project, '/-/artifacts')

/** The orders, by the parameters of the API. */
const orders: readonly ListOrder[] = [
  ['id', 'desc', 'Newest'],
  ['id', 'asc', 'Oldest'],
  ['size', 'desc', 'Largest'],
  ['size', 'asc', 'Smallest'],
  ['ref', 'asc', 'By branch or tag'],
]

const inArtifactPage = within(inProjectPage, {
  name: 'inArtifactPage',
  path: artifactPath,
  load: async ({ db, project }, { artifact_id }) => ({ artifact: await findArtifact(db, project.id, artifact_id) }),
})

/** The place in the list after a row: the job, and what the list is ordered by. Pure. */
const cursorOf = (
  { id, size, ref }: { readonly id: number; readonly size: number; readonly ref: string },
  order: ByJobFilters['order_by'],
) => (order === 'size' ? `${id}:${size}` : order === 'ref' ? `${id}:${ref}` : String(id))

/** @see cursorOf */
function readCursor(cursor: string): { readonly id: number; readonly size: number; readonly ref: string } {
  const [, id, value = ''] = /^(\d+)(?::(.*))?$/s.exec(cursor) ?? []
  return { id: Number(id), size: /^\d{1,15}$/.test(value) ? Number(value) : 0, ref: value }
}

export const showArtifacts = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show the artifacts of a project by their jobs',
  scope: inProjectPage,
  can: 'read_job',
  params: {
    ref: optional(text('Name of a branch or tag, exactly', { maxLength: 1_024 })),
    order_by: listArtifacts.params.order_by as never,
    sort: listArtifacts.params.sort as never,
    after: optional(text('The place in the list that it begins after', { pattern: '^\\d{1,15}(:[^\\0]*)?$', maxLength: 1_100 })),
    per_page: integer('Jobs on a page; above 100 is served as 100', { minimum: 1, default: 20 }),
  },
  async run(ctx) {
    const { db, actor, project } = ctx
    const { ref, after, per_page, ...order } = ctx.params as ByJobFilters & { readonly after?: string; readonly per_page: number }
    const filters = { ...order, ref: ref === '' ? undefined : ref }
    const all = jobsWithArtifacts(db, project.id, filters)
    const most = Math.min(per_page, MOST)
    const found = await (after === undefined ? all : afterJob(all, filters, readCursor(after))).limit(most + 1).execute()
    const rows = found.slice(0, most)
    const [loaded, total, isWithheld] = await Promise.all([
      loadByJob(ctx, rows),
      artifactsSizeOf(db, project.id),
      keepsPrivateArtifacts(ctx, project),
    ])
    const may = (ability: Ability) => allows(actor, ability, projectSubject(project)) === 'yes'
    const mayDelete = may('destroy_artifacts')
    const base = listPath(project)
    const last = rows.at(-1)
    const view = { ctx, project, base, mayKeep: may('update_job'), mayDelete, isWithheld }
    const listed = rows.map(({ id, size }) => {
      // Both exist, since the row is deleted with its job.
      const job = loaded.jobs.get(id) as JobRow
      const pipeline = loaded.pipelines.get(job.pipeline_id) as PipelineRow
      return { job, pipeline, size, artifacts: loaded.artifacts.get(id) ?? [], isLocked: loaded.keeping.has(pipeline.id) }
    })
    const isWhole = ref === undefined && after === undefined
    return page(ctx, {
      title: 'Artifacts',
      place: projectPlace(actor, project, 'artifacts'),
      heading: 'own',
      scripts: ['lists.js'],
      body: html`<div class="heading"><h1>Artifacts</h1>${mayDelete && !(isWhole && rows.length === 0) && html`<div class="row">${actionButton(ctx, { to: `${base}/delete_all`, face: html`${icon('trash')} Delete all that may expire`, look: 'danger', asks: 'Delete all artifacts of the project, except those of the latest successful pipelines? Logs stay.' })}</div>`}</div>
<p class="muted">Artifacts and logs take ${bytesText(total)} together. Jobs that have left a log alone are not listed.</p>
${isWhole && rows.length === 0 ? noArtifacts : html`${controls(ctx, base, filters)}${rows.length > 0 ? artifactsList(view, listed) : empty({ icon: 'archive', title: 'No artifacts', says: 'There are none here (any more).' })}${links(ctx.request.address, after, found.length > most && last ? cursorOf(last, filters.order_by) : undefined)}`}`,
    })
  },
})

const noArtifacts = empty({
  icon: 'archive',
  title: 'No artifacts',
  says: html`Files that jobs leave stand here. A job of the CI file names them by <code>artifacts: paths</code>, and says how long they are kept by <code>expire_in</code>.`,
})

/** The filter and the orders. */
function controls({ request }: Pick<Context, 'request'>, base: string, { ref, order_by, sort }: ByJobFilters): Html {
  const address = withParameter(request.address, 'after', undefined)
  return html`${filterBar(base, [{ name: 'ref', label: 'Branch or tag', value: ref }], { order_by: order_by ?? 'id', sort: sort ?? 'desc' })}
${orderLinks(address, orders, { order_by, sort })}`
}

/** Links to the beginning and on: nothing counts how many there are. */
const links = (address: string, after: string | undefined, next: string | undefined): Html | undefined =>
  after === undefined && next === undefined
    ? undefined
    : html`<nav class="pages" aria-label="Pages">${after !== undefined && html`<a href="${withParameter(address, 'after', undefined)}">First page</a>`}${next !== undefined && html`<a href="${withParameter(address, 'after', next)}" rel="next">Next ${icon('chevron-right')}</a>`}</nav>`

interface InProject {
  readonly project: ProjectWithRole
}

/** Back to the list as it was filtered, where the form stood there. */
function back({ project, request, deps }: Pick<Context, 'request' | 'deps'> & InProject): string {
  const [base, from] = [listPath(project), referringPath(request.headers, deps.config)]
  return from === base || from?.startsWith(`${base}?`) ? from : base
}

export const artifactChanges = {
  deleteSome: action<InProject>({
    route: `POST ${LIST}/bulk_destroy`,
    of: deleteArtifactsOfJobs,
    scope: inProjectPage,
    next: back,
    notice: 'The artifacts of the chosen jobs were deleted.',
    refused: (ctx, refusal) => {
      if (refusal.status !== 400) throw refusal
      return done(ctx, back(ctx), 'No jobs were chosen: nothing was deleted.')
    },
  }),
  deleteAll: action<InProject>({
    route: `POST ${LIST}/delete_all`,
    of: deleteProjectArtifacts,
    scope: inProjectPage,
    confirms: true,
    next: back,
    notice: 'All artifacts are being deleted, except those of the latest successful pipelines. This can take some minutes.',
  }),
  deleteOfJob: action<InProject>({
    route: `POST ${LIST}/jobs/:job_id/delete`,
    of: deleteArtifacts,
    scope: inJobPage,
    next: back,
    notice: 'The artifacts of the job were deleted.',
  }),
  keepOfJob: action<InProject>({
    route: `POST ${LIST}/jobs/:job_id/keep`,
    of: keepArtifacts,
    scope: inArchivePage,
    next: back,
    notice: 'The artifacts of the job are kept.',
  }),
  deleteFile: action<InProject>({
    route: `POST ${LIST}/files/:artifact_id/delete`,
    of: deleteArtifact,
    scope: inArtifactPage,
    next: back,
    notice: 'The file was deleted.',
  }),
}
