/** The log of a job for users, and its removal together with the artifacts (document 2 "Jobs"). */

import { endpoint, one, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { JobWithDownload } from '../jobs/entity.ts'
import { inJob } from '../jobs/scope.ts'
import { requireDebugAccess } from './access.ts'
import { traceAnswer } from './answer.ts'
import * as erase from './erase.ts'

export const getTrace = endpoint({
  route: 'GET /projects/:id/jobs/:job_id/trace',
  summary: 'Get the log of a job',
  scope: inJob,
  can: 'read_job',
  answers: ranged('text/plain'),
  async run(ctx) {
    await requireDebugAccess(ctx, ctx.project, ctx.job)
    return traceAnswer(ctx, ctx.job)
  },
})

export const eraseJob = endpoint({
  route: 'POST /projects/:id/jobs/:job_id/erase',
  summary: 'Remove the log and the artifacts of a job',
  scope: inJob,
  can: 'erase_job',
  answers: one(JobWithDownload),
  run: ctx => erase.eraseJob(ctx, ctx.project, ctx.job),
})
