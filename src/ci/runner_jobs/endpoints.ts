/** The jobs of a runner, for the users who manage it (runners API at 14.0). */
import Type from 'typebox'
import { endpoint, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf, optional } from '../../platform/kernel/declaration/types.ts'
import { inManagedRunner } from '../runners/scope.ts'
import { JobOfRunner, jobsOfRunner, listedStatuses } from './lists.ts'

export const listRunnerJobs = endpoint({
  route: 'GET /runners/:id/jobs',
  summary: 'List the jobs of a runner',
  scope: inManagedRunner,
  can: 'use_instance',
  params: {
    status: optional(OneOf(listedStatuses, { description: 'Only jobs with this status' })),
    order_by: optional(OneOf(['id'], { description: 'What the list is ordered by' })),
    sort: Type.Optional(OneOf(['asc', 'desc'], { description: 'Newest first unless given' })),
  },
  answers: pageOf(JobOfRunner),
  run: ({ db, actor, runner, params }) => jobsOfRunner(db, actor, runner.id, params),
})
