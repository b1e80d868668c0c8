import { scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject, projectSubject } from '../../spaces/projects/scope.ts'
import { isOwnJob } from '../own.ts'
import { jobById, jobOfProject, jobOrBridgeOfProject } from './queries.ts'

/** `:job_id` becomes what `find` finds in the project, or 404. `isOwn`: it runs for the caller, on an unprotected branch. */
const inJobFoundBy = (name: string, find: typeof jobOfProject) =>
  within(inProject, {
    name,
    path: { job_id: integer('ID of a job') },
    async load({ db, actor, project }, { job_id }) {
      const job = await find(db, project.id, job_id)
      if (!job) throw notFound('Job')
      return { job, isOwn: isOwnJob(actor, project, job) }
    },
    subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
    modifiedAt: ({ job }) => job.updated_at,
  })

/** `:job_id` becomes a job of the project; bridges and reported statuses are none. */
export const inJob = inJobFoundBy('inJob', jobOfProject)

/** `:job_id` becomes a job of the project, or a bridge. */
export const inJobOrBridge = inJobFoundBy('inJobOrBridge', jobOrBridgeOfProject)

/**
 * The job whose token the caller sends.
 * Contract: a caller with any other credential has no such job: 404 (document 2, `GET /job`).
 */
export const inOwnJob = scope({
  name: 'inOwnJob',
  path: {},
  async load({ db, actor: { credential } }) {
    const job = credential?.kind === 'job_token' ? await jobById(db, credential.jobId) : undefined
    if (!job) throw notFound('Job')
    return { job }
  },
  subject: () => ({ on: 'instance' as const }),
  errors: () => ['not_found'],
})
