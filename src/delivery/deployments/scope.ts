import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { deploymentById } from './queries.ts'

/** `:deployment_id` becomes a deployment of the project, or 404. */
export const inDeployment = within(inProject, {
  name: 'inDeployment',
  path: { deployment_id: integer('ID of a deployment (not its `iid`)') },
  async load({ db, project }, { deployment_id }) {
    const deployment = await deploymentById(db, project.id, deployment_id)
    if (!deployment) throw notFound('Deployment')
    return { deployment }
  },
  modifiedAt: ({ deployment }) => deployment.updated_at,
})
