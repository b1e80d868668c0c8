/** Jobs and bridges by the addresses of their pages. */
import { jobOfProject, jobOrBridgeOfProject } from '../../ci/jobs/queries.ts'
import { isOwnJob } from '../../ci/own.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'

/** The path of every page of a job. */
export const JOB = '/:project_path/-/jobs/:job_id'

const inPageFoundBy = (name: string, find: typeof jobOfProject) =>
  within(inProjectPage, {
    name,
    path: { job_id: integer('ID of a job') },
    async load({ db, actor, project }, { job_id }) {
      const job = await find(db, project.id, job_id)
      if (!job) throw notFound('Job')
      return { job, isOwn: isOwnJob(actor, project, job) }
    },
    subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
  })

/** `:job_id` becomes a job of the project, or 404. */
export const inJobPage = inPageFoundBy('inJobPage', jobOfProject)

/** `:job_id` becomes a job of the project, or a bridge. */
export const inJobOrBridgePage = inPageFoundBy('inJobOrBridgePage', jobOrBridgeOfProject)

/** The path of a job's page. Pure. */
export const jobPath = (project: { readonly full_path: string }, { id }: { readonly id: number }, rest = ''): string =>
  projectPath(project, `/-/jobs/${id}${rest}`)
