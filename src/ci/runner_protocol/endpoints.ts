/**
 * Requests of runners (runner protocol sheet c.1 to c.4). Tokens are parameters here, and the command checks each; runners expect 403 for
 * a wrong one. Valid requests are exempt from the rate limits, since many runners may share one address; wrong
 * tokens are counted.
 */

import Type from 'typebox'
import { bytes, endpoint, nothing, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { described, flag, integer, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { Secret } from '../../platform/secret.ts'
import { noteContact, runnerByToken } from '../runners/access.ts'
import { attributes } from '../runners/attributes.ts'
import * as commands from '../runners/commands.ts'
import { RegisteredRunner } from '../runners/registered.ts'
import { waitForJob } from './assignment/wait.ts'
import { runner } from './dialect.ts'
import { jobTokenOf } from './job_access.ts'
import { inAssignedJob } from './scope.ts'
import { receivePart } from './updates/trace_parts.ts'
import * as update from './updates/update.ts'

const ofRunners = { dialect: runner, scope: inInstance, can: 'read_instance', anonymous: true, counted: false } as const
const ofJobs = { dialect: runner, scope: inAssignedJob, can: 'read_instance', anonymous: true, counted: false } as const

const token = text("The runner's token", { maxLength: 255, examples: ['6337ff461c94fd3fa32ba3b1ff4125'] })
const info = Type.Optional(Type.Unknown({ description: 'What the runner says of itself: version, platform, features' }))
const jobToken = optional(text("The job's token, unless `JOB-TOKEN` has it", { maxLength: 255 }))

export const registerRunner = endpoint({
  ...ofRunners,
  route: 'POST /runners',
  summary: 'Register a runner',
  params: {
    token: text('A token to register with', { maxLength: 255, examples: ['registration-token'] }),
    info,
    ...attributes,
  },
  answers: one(RegisteredRunner),
  run: ctx => commands.registerRunner(ctx, ctx.params.token, ctx.params, ctx.params.info),
})

export const verifyRunner = endpoint({
  ...ofRunners,
  route: 'POST /runners/verify',
  summary: "Ask whether a runner's token is valid",
  params: { token, info },
  // Newer runners read the answer (runner protocol c.7).
  answers: one(RegisteredRunner, 200),
  async run(ctx) {
    const found = await runnerByToken(ctx, ctx.params.token)
    await noteContact(ctx, found, ctx.params.info)
    return { ...found, token: new Secret(ctx.params.token) }
  },
})

export const unregisterRunner = endpoint({
  ...ofRunners,
  route: 'DELETE /runners',
  summary: 'Unregister a runner by its token',
  params: { token },
  answers: nothing,
  run: async ctx => commands.removeRunner(ctx, await runnerByToken(ctx, ctx.params.token)),
})

export const resetOwnToken = endpoint({
  ...ofRunners,
  route: 'POST /runners/reset_authentication_token',
  summary: "Replace a runner's token by another one",
  params: { token },
  answers: one(RegisteredRunner),
  run: async ctx => commands.resetToken(ctx, await runnerByToken(ctx, ctx.params.token)),
})

export const requestJob = endpoint({
  ...ofRunners,
  route: 'POST /jobs/request',
  summary: 'Ask for a job to run',
  // The assignment opens a transaction of its own; a waiting request holds none.
  writes: 'own',
  params: {
    token,
    info,
    last_update: optional(text('What `X-GitLab-Last-Update` said last', { maxLength: 255 })),
    session: Type.Optional(Type.Unknown({ description: 'Where the runner serves terminals; not used' })),
  },
  answers: bytes('application/json', 201, 204),
  async run(ctx) {
    const { params } = ctx
    const { job, version } = await waitForJob(ctx, params.token, { info: params.info, lastUpdate: params.last_update })
    if (job) return { body: JSON.stringify(job) }
    return { body: '', status: 204, ...(version !== undefined && { headers: { 'x-gitlab-last-update': version } }) }
  },
})

export const updateJob = endpoint({
  ...ofJobs,
  route: 'PUT /jobs/:id',
  summary: 'Tell how a job goes, or how it has ended',
  // Most ends are one statement.
  writes: 'own',
  params: {
    token: jobToken,
    info,
    state: optional(OneOf(['running', 'success', 'failed'], { description: 'State that the runner reports' })),
    failure_reason: optional(text('Why the job failed', { maxLength: 255 })),
    exit_code: optional(integer("Exit code of the job's script", { minimum: -2_147_483_648, maximum: 2_147_483_647 })),
    checksum: optional(text('Of the log: `crc32:` and eight hex digits', { maxLength: 255 })),
    output: optional(
      described(
        'Log as the runner knows it: its checksum and size',
        Type.Object({
          checksum: optional(text('CRC-32 of the log, as `crc32:` and hexadecimal digits', { maxLength: 255 })),
          bytesize: optional(integer('Length of the log', { minimum: 0 })),
        }),
      ),
    ),
  },
  answers: bytes('text/plain', 200, 202, 412),
  run: ctx => update.updateJob(ctx, ctx.jobId, jobTokenOf(ctx, ctx.params.token), ctx.params),
})

export const receiveTracePart = endpoint({
  ...ofJobs,
  route: 'PATCH /jobs/:id/trace',
  summary: 'Send a part of the log of a job',
  rawBody: true,
  writes: 'own',
  // Newer runners say it (runner protocol c.7).
  params: { token: jobToken, debug_trace: optional(flag('Whether the log shows all variables of the job')) },
  answers: bytes('text/plain', 202),
  errors: ['too_large', 'range_not_satisfiable'],
  run: ctx => receivePart(ctx, ctx.jobId, jobTokenOf(ctx, ctx.params.token), ctx.body, ctx.params.debug_trace),
})
