/** Uploads and downloads of artifacts by runners, with the token of a running job (runner protocol at 14.0). */
import { allows } from '../../../platform/access/abilities.ts'
import { actingAsJob } from '../../../platform/access/credentials/credentials.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { endpoint, nothing, one, ranged } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, integer, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { notFound, tooLarge } from '../../../platform/kernel/errors.ts'
import { ParameterReader } from '../../../platform/kernel/request/params.ts'
import { digestOf } from '../../../platform/kernel/secrets.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import { archiveAnswer } from '../../artifacts/file.ts'
import { findArchive, isWithheld } from '../../artifacts/scope.ts'
import { artifactTypes, formats } from '../../artifacts/types.ts'
import { isForActiveUser, type JobRow, jobById, jobs } from '../../jobs/queries.ts'
import { rejectToken } from '../../runners/access.ts'
import { runner } from '../dialect.ts'
import { jobTokenOf, runningJob } from '../job_access.ts'
import { inAssignedJob } from '../scope.ts'
import { UploadPermission } from './entity.ts'
import { receiveFile } from './multipart.ts'
import { assertLength, readAnnouncement, receiveArtifact } from './receive.ts'

const token = optional(text('Token of a running job, unless it is in the header `JOB-TOKEN`'))

/** The running job of an active user to which the token belongs; 403 for none. */
async function jobOfToken(ctx: Context, given: string | undefined): Promise<JobRow> {
  const digest = digestOf(jobTokenOf(ctx, given))
  const job = await jobs(ctx.db)
    .where('token_digest', '=', digest)
    .where('status', '=', 'running')
    .where(isForActiveUser)
    .executeTakeFirst()
  return job ?? rejectToken(ctx)
}

const artifactFacts = {
  artifact_format: optional(OneOf(formats, { description: 'Format of the artifact' })),
  expire_in: optional(text('In words: `1 week`, `never`', { maxLength: 255 })),
}

/** What an upload says of its file, among the fields of the body, before the file (document 1: parameters in the query or the body). */
const fieldsOfUpload = new ParameterReader({ artifact_type: optional(OneOf(artifactTypes)), ...artifactFacts }, [])

export const uploadArtifact = endpoint({
  route: 'POST /jobs/:id/artifacts',
  summary: 'Upload an artifact of a running job',
  scope: inAssignedJob,
  can: 'read_instance',
  anonymous: true,
  dialect: runner,
  rawBody: true,
  writes: 'own',
  params: {
    token,
    artifact_type: OneOf(artifactTypes, { description: 'Kind of the artifact', default: 'archive' }),
    ...artifactFacts,
  },
  answers: { ...nothing, status: 201 },
  errors: ['too_large'],
  async run(ctx) {
    const { params, jobId } = ctx
    const announced = await readAnnouncement(ctx, params)
    const sent = jobTokenOf(ctx, params.token)
    const known = sent === '' ? undefined : await runningJob(ctx, jobId, sent)
    assertLength(ctx, announced)
    await receiveFile(ctx.request.headers, ctx.body, async file => {
      // Old clients send the token among the fields, before the file.
      const job = known ?? (await runningJob(ctx, jobId, file.fields.token ?? ''))
      const among = fieldsOfUpload.read(file.fields, ctx.tier)
      const facts = Object.keys(among).length === 0 ? announced : await readAnnouncement(ctx, { ...params, ...among })
      await receiveArtifact(ctx, job, facts, file)
    })
  },
})

// Contract: a proxy in front of the server calls this; a runner never does.
export const authorizeUpload = endpoint({
  route: 'POST /jobs/:id/artifacts/authorize',
  summary: 'Ask whether an artifact of a running job may be uploaded',
  scope: inAssignedJob,
  can: 'read_instance',
  anonymous: true,
  dialect: runner,
  writes: 'own',
  params: {
    token,
    filesize: optional(integer('In bytes', { minimum: 0 })),
    artifact_type: OneOf(artifactTypes, { description: 'Kind of the artifact', default: 'archive' }),
  },
  answers: one(UploadPermission, 200),
  async run(ctx) {
    const { params, jobId } = ctx
    await runningJob(ctx, jobId, jobTokenOf(ctx, params.token))
    const { limit } = await readAnnouncement(ctx, params)
    if (params.filesize !== undefined && params.filesize > limit) throw tooLarge(limit)
    return { limit }
  },
})

export const fetchArtifacts = endpoint({
  route: 'GET /jobs/:id/artifacts',
  summary: 'Download the artifacts of a job that a running job depends on',
  scope: inAssignedJob,
  can: 'read_instance',
  dialect: runner,
  params: { token, direct_download: optional(flag('May it be led to the store? It never is')) },
  answers: ranged('application/zip'),
  async run(ctx) {
    const running = await jobOfToken(ctx, ctx.params.token)
    const job = await jobById(ctx.db, ctx.jobId)
    if (!job || !(await mayRead(ctx, running, job))) throw notFound()
    return archiveAnswer(ctx, await findArchive(ctx, job.id))
  },
})

/** May a running job read the artifacts of another one? In its own project always; elsewhere if its token reaches (`needs: project`). */
async function mayRead({ db }: Context, running: JobRow, job: JobRow): Promise<boolean> {
  const actor = await actingAsJob(db, running)
  if (!actor) return false
  if (running.project_id === job.project_id) return true
  const project = await visibleProject(db, actor, String(job.project_id))
  if (!project || allows(actor, 'read_job', projectSubject(project)) !== 'yes') return false
  return !(await isWithheld({ db, actor }, project, job))
}
