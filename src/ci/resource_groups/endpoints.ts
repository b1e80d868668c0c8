/** Resource groups: of the jobs that name one, only one runs at a time (resource groups API, added after 14.0). */
import { enqueue } from '../../platform/events/worker.ts'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf, optional } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { Job } from '../jobs/entity.ts'
import { processModes, ResourceGroup } from './entity.ts'
import { type ResourceGroupRow, resourceGroupsOf, waitingJobsOf } from './queries.ts'
import { inResourceGroup } from './scope.ts'

export const listResourceGroups = endpoint({
  route: 'GET /projects/:id/resource_groups',
  summary: 'List the resource groups of a project',
  scope: inProject,
  can: 'update_job',
  params: {},
  answers: pageOf(ResourceGroup),
  run: ({ db, project }) => resourceGroupsOf(db, project.id),
})

export const getResourceGroup = endpoint({
  route: 'GET /projects/:id/resource_groups/:key',
  summary: 'Get a resource group',
  scope: inResourceGroup,
  can: 'update_job',
  answers: one(ResourceGroup),
  run: ({ resourceGroup }) => resourceGroup,
})

export const listUpcomingJobs = endpoint({
  route: 'GET /projects/:id/resource_groups/:key/upcoming_jobs',
  summary: 'List the jobs that wait for a resource group, the next one first',
  scope: inResourceGroup,
  can: 'update_job',
  params: {},
  answers: pageOf(Job),
  run: ({ db, resourceGroup }) => waitingJobsOf(db, resourceGroup),
})

export const updateResourceGroup = endpoint({
  route: 'PUT /projects/:id/resource_groups/:key',
  summary: 'Set the order in which the jobs of a resource group run',
  scope: inResourceGroup,
  can: 'update_job',
  params: { process_mode: optional(OneOf(processModes, { description: 'Order in which waiting jobs run' })) },
  answers: one(ResourceGroup),
  run: async ({ db, now, resourceGroup, params }): Promise<ResourceGroupRow> => {
    if (params.process_mode === undefined) return resourceGroup
    // A waiting job may be next in the new order.
    await enqueue(db, 'assign_resource', { resource_group_id: resourceGroup.id }, { jobKey: `assign_resource:${resourceGroup.id}` })
    return db
      .updateTable('resource_groups')
      .set({ process_mode: params.process_mode, updated_at: now })
      .where('id', '=', resourceGroup.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  },
})
