/** Running, retrying, canceling and erasing jobs, and what they left. */
import { downloadArtifacts, keepArtifacts } from '../../ci/artifacts/endpoints.ts'
import { archiveAnswer, reportAnswer } from '../../ci/artifacts/file.ts'
import { reportOf } from '../../ci/artifacts/queries.ts'
import { findArchive, isDotenvWithheld, requireArtifactAccess } from '../../ci/artifacts/scope.ts'
import { type ArtifactTypeName, reportTypes } from '../../ci/artifacts/types.ts'
import { cancelJob, playJob, retryJob } from '../../ci/jobs/endpoints.ts'
import { eraseJob, getTrace } from '../../ci/traces/endpoints.ts'
import { endpoint, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { OneOf } from '../../platform/kernel/declaration/types.ts'
import { notFound, refusedTo } from '../../platform/kernel/errors.ts'
import { pages } from '../../platform/pages/dialect.ts'
import { action } from '../../platform/pages/forms/action.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { inJobOrBridgePage, inJobPage, JOB, jobPath } from './scope.ts'

interface InOne {
  readonly project: ProjectWithRole
  readonly job: { readonly id: number }
}

/** The archive of a job on its page, or 404. */
export const inArchivePage = within(inJobPage, {
  name: 'inArchivePage',
  path: {},
  load: async ctx => ({ archive: await findArchive(ctx, ctx.job.id) }),
})

const back = ({ project, job }: InOne): string => jobPath(project, job)

/** A job that is run again is another one, whose page is the next. */
const toResult = ({ project }: InOne, result: { readonly id: number }): string => jobPath(project, result)

/** A job whose files are downloaded; which of them is there is seen when it is known which is asked for. */
const inDownloadPage = within(inJobPage, { name: 'inDownloadPage', path: {}, load: async () => ({}) })

export const jobChanges = {
  play: action<InOne>({ route: `POST ${JOB}/play`, of: playJob, scope: inJobOrBridgePage, next: toResult, notice: 'The job was started.' }),
  retry: action<InOne>({ route: `POST ${JOB}/retry`, of: retryJob, scope: inJobPage, next: toResult, notice: 'The job runs again.' }),
  cancel: action<InOne>({ route: `POST ${JOB}/cancel`, of: cancelJob, scope: inJobPage, next: back, notice: 'The job was canceled.' }),
  erase: action<InOne>({
    route: `POST ${JOB}/erase`,
    of: eraseJob,
    scope: inJobPage,
    next: back,
    notice: 'Log and artifacts were erased.',
  }),
  keep: action<InOne>({
    route: `POST ${JOB}/artifacts/keep`,
    of: keepArtifacts,
    scope: inArchivePage,
    next: back,
    notice: 'The artifacts are kept.',
  }),
  /** The log and the archive as they are: the answers of the API, by a session. */
  raw: {
    ...getTrace,
    route: `GET ${JOB}/raw` as const,
    path: `${JOB}/raw` as const,
    scope: inJobPage as never,
    dialect: pages,
    shows: getTrace.route,
  },
  /** The archive, or a report of the job, by a session. */
  download: endpoint({
    dialect: pages,
    route: `GET ${JOB}/artifacts/download`,
    summary: downloadArtifacts.summary,
    scope: inDownloadPage,
    can: 'read_job',
    params: { file_type: OneOf(['archive', ...reportTypes], { description: 'The archive, or a report', default: 'archive' }) },
    answers: ranged('application/zip'),
    async run(ctx) {
      const { db, project, job, now, params } = ctx
      await requireArtifactAccess(ctx, project, job)
      const type = params.file_type as ArtifactTypeName
      if (type === 'archive') return archiveAnswer(ctx, await findArchive(ctx, job.id))
      if (type === 'dotenv' && isDotenvWithheld(ctx, project)) throw refusedTo(ctx.actor)
      const report = await reportOf(db, job.id, type, now)
      if (!report) throw notFound('Artifacts')
      return reportAnswer(ctx, report)
    },
  }),
}
