/** Environments and the jobs of their deployments by the addresses of their pages. */
import { jobOrBridgeOfProject } from '../../ci/jobs/queries.ts'
import { isOwnJob } from '../../ci/own.ts'
import { deploymentById } from '../../delivery/deployments/queries.ts'
import { environmentById } from '../../delivery/environments/queries.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'

/** The path of every page of an environment. */
export const ENVIRONMENT = '/:project_path/-/environments/:environment_id'

/** `:environment_id` becomes an environment of the project, or 404. */
export const inEnvironmentPage = within(inProjectPage, {
  name: 'inEnvironmentPage',
  path: { environment_id: integer('ID of an environment') },
  async load({ db, project }, { environment_id }) {
    const environment = await environmentById(db, project.id, environment_id)
    if (!environment) throw notFound('Environment')
    return { environment }
  },
})

/** `:deployment_id` becomes a deployment to the environment with its job, or 404, as for one that was reported by the API. */
export const inDeploymentJobPage = within(inEnvironmentPage, {
  name: 'inDeploymentJobPage',
  path: { deployment_id: integer('ID of a deployment (not its `iid`)') },
  async load({ db, actor, project, environment }, { deployment_id }) {
    const deployment = await deploymentById(db, project.id, deployment_id)
    const job =
      deployment?.environment_id === environment.id && deployment.job_id !== null
        ? await jobOrBridgeOfProject(db, project.id, deployment.job_id)
        : undefined
    if (!deployment || !job) throw notFound('Deployment')
    return { deployment, job, isOwn: isOwnJob(actor, project, job) }
  },
  subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
})

type Project = { readonly full_path: string }

/** The path of the list of environments, or of what is below it. Pure. */
export const environmentsPath = (project: Project, rest = ''): string => projectPath(project, `/-/environments${rest}`)

/** The path of an environment's page. Pure. */
export const environmentPath = (project: Project, { id }: { readonly id: number }, rest = ''): string =>
  environmentsPath(project, `/${id}${rest}`)

/** The path of the environments whose names begin with a folder. Pure. */
export const folderPath = (project: Project, folder: string): string => environmentsPath(project, `/folders/${encodeURIComponent(folder)}`)
