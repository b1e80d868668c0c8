/** The artifacts of a project by their jobs, and what deletes some of them. Ours, besides the documented endpoints: lists and single files have none there. */
import Type from 'typebox'
import { endpoint, nothing, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { integer, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import { removeArtifact, removeArtifacts } from '../commands.ts'
import { JobWithArtifacts } from './entity.ts'
import { artifactOrders, jobIdsOfProject, jobsWithArtifacts } from './queries.ts'
import { inArtifact } from './scope.ts'

/** Jobs whose artifacts one call deletes. */
const MOST_JOBS = 100

export const listArtifacts = endpoint({
  route: 'GET /projects/:id/artifacts',
  summary: 'List the jobs of a project that have artifacts, with these',
  scope: inProject,
  can: 'read_job',
  params: {
    ref: optional(text('Name of a branch or tag, exactly', { maxLength: 1_024 })),
    order_by: OneOf(artifactOrders, { description: '`id` of the job, `size`, or `ref`', default: 'id' }),
    sort: OneOf(['asc', 'desc'], { description: 'Direction of the order', default: 'desc' }),
  },
  answers: pageOf(JobWithArtifacts, { cap: 50_000 }),
  run: ({ db, project, params }) => jobsWithArtifacts(db, project.id, params),
})

export const deleteArtifact = endpoint({
  route: 'DELETE /projects/:id/artifacts/:artifact_id',
  summary: 'Delete one artifact; with an archive also the list of what is in it',
  scope: inArtifact,
  can: 'destroy_artifacts',
  answers: nothing,
  run: ({ db, artifact }) => removeArtifact(db, artifact),
})

export const deleteArtifactsOfJobs = endpoint({
  route: 'POST /projects/:id/artifacts/bulk_destroy',
  summary: 'Delete the artifacts of several jobs of a project',
  scope: inProject,
  can: 'destroy_artifacts',
  params: {
    job_ids: Type.Array(integer('ID of a job'), {
      minItems: 1,
      maxItems: MOST_JOBS,
      description: 'Jobs of the project; those of other projects are left alone',
      examples: [[1]],
    }),
  },
  answers: nothing,
  run: async ({ db, project, params }) => removeArtifacts(db, await jobIdsOfProject(db, project.id, params.job_ids)),
})
