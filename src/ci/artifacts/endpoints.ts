/** Artifacts of jobs (document 2 "Job artifacts"). */

import { enqueue } from '../../platform/events/worker.ts'
import { endpoint, nothing, one, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { JobWithDownload } from '../jobs/entity.ts'
import { jobById } from '../jobs/queries.ts'
import { inJob } from '../jobs/scope.ts'
import * as commands from './commands.ts'
import { archiveAnswer, fileAnswer } from './file.ts'
import { findLatestArchive, inArchive, inArtifactsRef, requireArtifactAccess } from './scope.ts'

/** Contract: a job token may download artifacts from the premium tier on (document 2 "Job artifacts"; decision 27). */
const jobToken = 'premium'

const artifact_path = text('Path of a file inside the archive', { minLength: 1, maxLength: 65_535, examples: ['out/hello.txt'] })
const job = text('Name of the job', { minLength: 1, maxLength: 255, examples: ['build'] })

export const downloadArtifacts = endpoint({
  route: 'GET /projects/:id/jobs/:job_id/artifacts',
  summary: 'Download the artifacts of a job',
  scope: inArchive,
  can: 'read_job',
  jobToken,
  answers: ranged('application/zip'),
  async run(ctx) {
    await requireArtifactAccess(ctx, ctx.project, ctx.job)
    return archiveAnswer(ctx, ctx.archive)
  },
})

export const downloadLatestArtifacts = endpoint({
  route: 'GET /projects/:id/jobs/artifacts/:ref_name/download',
  summary: 'Download the artifacts of a job of the latest successful pipeline of a branch or tag',
  scope: inArtifactsRef,
  can: 'read_job',
  jobToken,
  params: { job },
  answers: ranged('application/zip'),
  run: async ctx => archiveAnswer(ctx, await findLatestArchive(ctx, ctx.project, ctx.ref, ctx.params.job)),
})

export const downloadArtifactFile = endpoint({
  route: 'GET /projects/:id/jobs/:job_id/artifacts/*artifact_path',
  summary: 'Download one file of the artifacts of a job',
  scope: inArchive,
  can: 'read_job',
  jobToken,
  params: { artifact_path },
  answers: ranged('application/octet-stream'),
  async run(ctx) {
    await requireArtifactAccess(ctx, ctx.project, ctx.job)
    return fileAnswer(ctx, ctx.archive, ctx.params.artifact_path)
  },
})

export const downloadLatestArtifactFile = endpoint({
  route: 'GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path',
  summary: 'Download one file of the artifacts of a job of the latest successful pipeline of a branch or tag',
  scope: inArtifactsRef,
  can: 'read_job',
  jobToken,
  params: { artifact_path, job },
  answers: ranged('application/octet-stream'),
  run: async ctx => fileAnswer(ctx, await findLatestArchive(ctx, ctx.project, ctx.ref, ctx.params.job), ctx.params.artifact_path),
})

export const keepArtifacts = endpoint({
  route: 'POST /projects/:id/jobs/:job_id/artifacts/keep',
  summary: 'Keep the artifacts of a job when they would expire',
  scope: inArchive,
  can: 'update_job',
  // Contract: 200, unlike most POST endpoints (decision 14).
  answers: one(JobWithDownload, 200),
  run: async ({ db, job }) => {
    await commands.keepArtifacts(db, job.id)
    return (await jobById(db, job.id)) ?? job
  },
})

export const deleteArtifacts = endpoint({
  route: 'DELETE /projects/:id/jobs/:job_id/artifacts',
  summary: 'Delete the artifacts of a job',
  scope: inJob,
  can: 'destroy_artifacts',
  answers: nothing,
  run: ({ db, job }) => commands.removeArtifacts(db, [job.id]),
})

// Contract: added after 14.0; the artifacts of the latest successful pipelines stay.
export const deleteProjectArtifacts = endpoint({
  route: 'DELETE /projects/:id/artifacts',
  summary: 'Delete the artifacts of all jobs of a project, in the background',
  scope: inProject,
  can: 'destroy_artifacts',
  answers: { ...nothing, status: 202 },
  run: ({ db, project, now }) => enqueue(db, 'expire_project_artifacts', { project_id: project.id, until: now.toISOString() }),
})
