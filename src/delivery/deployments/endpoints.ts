/** Deployments of a project (deployments API at 14.0). */
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { DateTime, flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { listedMergeRequestOfProject } from '../../review/merge_requests/lists/entity.ts'
import { listParams, listRules } from '../../review/merge_requests/lists/params.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { EnvironmentName } from '../environments/params.ts'
import * as commands from './commands.ts'
import { Deployment } from './entity.ts'
import { deploymentOrders, deploymentsOf, mergeRequestsOf } from './queries.ts'
import { inDeployment } from './scope.ts'
import { deploymentMachine } from './states.ts'

const Status = OneOf(Object.keys(commands.reports) as ['running', 'success', 'failed', 'canceled'], {
  description: 'Status of the deployment',
  examples: ['success'],
})

export const listDeployments = endpoint({
  route: 'GET /projects/:id/deployments',
  summary: 'List the deployments of a project',
  scope: inProject,
  can: 'read_deployment',
  params: {
    order_by: OneOf(deploymentOrders, { description: 'What the list is ordered by', default: 'id' }),
    sort: OneOf(['asc', 'desc'], { description: '`asc` or `desc`', default: 'asc' }),
    environment: optional(text('Name of an environment')),
    status: optional(
      OneOf(deploymentMachine.states as ['created', 'running', 'success', 'failed', 'canceled', 'skipped'], {
        description: 'Status of the deployment',
      }),
    ),
    updated_after: optional(DateTime('Only deployments changed after this instant')),
    updated_before: optional(DateTime('Only deployments changed before this instant')),
    finished_after: optional(DateTime('Only deployments that ended after this instant')),
    finished_before: optional(DateTime('Only deployments that ended before this instant')),
  },
  answers: pageOf(Deployment),
  run: ({ db, project, params }) => deploymentsOf(db, project.id, params),
})

export const getDeployment = endpoint({
  route: 'GET /projects/:id/deployments/:deployment_id',
  summary: 'Get a deployment',
  scope: inDeployment,
  can: 'read_deployment',
  answers: one(Deployment),
  run: ({ deployment }) => deployment,
})

export const createDeployment = endpoint({
  route: 'POST /projects/:id/deployments',
  summary: 'Report a deployment that was made elsewhere',
  scope: inProject,
  can: 'admin_deployment',
  params: {
    environment: EnvironmentName({ description: 'It is created where there is none', examples: ['production'] }),
    sha: text('ID of the commit that is deployed', { minLength: 1, examples: ['a91957a858320c0e17f3a0eca7cfacbff50ea29a'] }),
    ref: text('Branch or tag that is deployed', { minLength: 1, maxLength: 255, examples: ['main'] }),
    tag: optional(flag('Is `ref` a tag?')),
    status: Status,
  },
  answers: one(Deployment),
  run: ctx => commands.createDeployment(ctx, ctx.project, ctx.params),
})

export const updateDeployment = endpoint({
  route: 'PUT /projects/:id/deployments/:deployment_id',
  summary: 'Report what has become of a deployment',
  scope: inDeployment,
  can: 'admin_deployment',
  params: { status: Status },
  answers: one(Deployment),
  run: ctx => commands.updateDeployment(ctx, ctx.project, ctx.deployment, ctx.params.status),
})

export const removeDeployment = endpoint({
  route: 'DELETE /projects/:id/deployments/:deployment_id',
  summary: 'Delete a deployment that another one has followed',
  scope: inDeployment,
  can: 'destroy_deployment',
  answers: nothing,
  run: ctx => commands.removeDeployment(ctx, ctx.deployment),
})

export const listDeploymentMergeRequests = endpoint({
  route: 'GET /projects/:id/deployments/:deployment_id/merge_requests',
  summary: 'List the merge requests that came with a deployment',
  scope: inDeployment,
  can: 'read_deployment',
  params: listParams,
  rules: listRules,
  answers: pageOf(listedMergeRequestOfProject),
  run: ctx => mergeRequestsOf(ctx, ctx.project, ctx.deployment, ctx.params),
})
