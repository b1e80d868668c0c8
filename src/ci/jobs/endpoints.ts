/** Jobs and bridges (document 2 "Jobs"). */

import Type from 'typebox'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, optional } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { inPipeline } from '../pipelines/scope.ts'
import { given } from '../run_variables/given.ts'
import { GivenVariable } from '../run_variables/params.ts'
import * as cancel from './actions/cancel.ts'
import * as play from './actions/play.ts'
import * as retry from './actions/retry.ts'
import { Bridge, JobOrBridge } from './entities/bridge_entity.ts'
import { Job } from './entity.ts'
import { bridgesOfPipeline, jobsOfPipeline, jobsOfProject } from './lists/lists.ts'
import { scopeParam } from './lists/params.ts'
import { inJob, inJobOrBridge, inOwnJob } from './scope.ts'

export const listProjectJobs = endpoint({
  route: 'GET /projects/:id/jobs',
  summary: 'List the jobs of a project',
  scope: inProject,
  can: 'read_job',
  params: { scope: scopeParam },
  answers: pageOf(Job),
  run: ({ db, project, params }) => jobsOfProject(db, project.id, params.scope),
})

export const listPipelineJobs = endpoint({
  route: 'GET /projects/:id/pipelines/:pipeline_id/jobs',
  summary: 'List the jobs of a pipeline',
  scope: inPipeline,
  can: 'read_job',
  params: {
    scope: scopeParam,
    include_retried: optional(flag('Those too that others have taken the place of')),
  },
  answers: pageOf(Job),
  run: ({ db, pipeline, params }) => jobsOfPipeline(db, pipeline.id, params),
})

export const listBridges = endpoint({
  route: 'GET /projects/:id/pipelines/:pipeline_id/bridges',
  summary: 'List the bridges of a pipeline, which start other pipelines',
  scope: inPipeline,
  can: 'read_job',
  params: { scope: scopeParam },
  answers: pageOf(Bridge),
  run: ({ db, pipeline, params }) => bridgesOfPipeline(db, pipeline.id, params.scope),
})

export const getJob = endpoint({
  route: 'GET /projects/:id/jobs/:job_id',
  summary: 'Get a job',
  scope: inJob,
  can: 'read_job',
  answers: one(Job),
  run: ({ job }) => job,
})

export const cancelJob = endpoint({
  route: 'POST /projects/:id/jobs/:job_id/cancel',
  summary: 'Cancel a job',
  scope: inJob,
  can: 'update_job',
  answers: one(Job),
  run: ctx => cancel.cancelJob(ctx, ctx.project, ctx.job),
})

export const retryJob = endpoint({
  route: 'POST /projects/:id/jobs/:job_id/retry',
  summary: 'Run a job again',
  scope: inJob,
  can: 'update_job',
  // Contract: a new job in the place of the old one (decision 24).
  answers: one(Job),
  run: ctx => retry.retryJob(ctx, ctx.project, ctx.job),
})

export const playJob = endpoint({
  route: 'POST /projects/:id/jobs/:job_id/play',
  summary: 'Start a manual job',
  scope: inJobOrBridge,
  can: 'update_job',
  params: { job_variables_attributes: Type.Optional(Type.Array(GivenVariable, { description: 'Variables of this run of the job' })) },
  answers: one(JobOrBridge),
  run: ctx => play.playJob(ctx, ctx.project, ctx.job, { variables: ctx.params.job_variables_attributes?.map(given) }),
})

export const getOwnJob = endpoint({
  route: 'GET /job',
  summary: 'Get the job whose token is sent',
  scope: inOwnJob,
  can: 'use_instance',
  jobToken: true,
  answers: one(Job),
  run: ({ job }) => job,
})
