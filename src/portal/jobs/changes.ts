/** Running, retrying, canceling and erasing jobs, and what they left. */
import { downloadArtifacts, keepArtifacts } from '../../ci/artifacts/endpoints.ts'
import { findArchive } from '../../ci/artifacts/scope.ts'
import { cancelJob, playJob, retryJob } from '../../ci/jobs/endpoints.ts'
import { eraseJob, getTrace } from '../../ci/traces/endpoints.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
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

const { jobToken: _, ...ofArchive } = downloadArtifacts

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
  download: {
    ...ofArchive,
    route: `GET ${JOB}/artifacts/download` as const,
    path: `${JOB}/artifacts/download` as const,
    scope: inArchivePage as never,
    dialect: pages,
    shows: downloadArtifacts.route,
  },
}
