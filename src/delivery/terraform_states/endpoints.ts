/** States of Terraform, as its backend `http` keeps them (Terraform state API at 14.0). */
import { Readable } from 'node:stream'
import type { Context } from '../../platform/kernel/context.ts'
import { type ByteAnswer, bytes, endpoint, nothing } from '../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { readRawBody } from '../../platform/kernel/request/wire.ts'
import { Secret } from '../../platform/secret.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { packageDialect } from '../packages/dialect.ts'
import * as commands from './commands.ts'
import { checkedState, contentOf } from './content.ts'
import { newestVersion, type StateRow, type VersionRow } from './queries.ts'
import { inTerraformState, inTerraformStateVersion, statePathParams } from './scope.ts'

/** Bytes that a state may have. */
const MAX_STATE = 32 * 1024 * 1024

/** The backend sends the token of a user or a job as the password of Basic authentication. */
const terraform = packageDialect('terraform_state')

const lockId = text('ID of the lock', { minLength: 1, maxLength: 255, examples: ['5a1c1f3e-0000-4000-8000-000000000001'] })

const wordsOf = (part: Secret): string => part.reveal()

/** What a version says, as it was written. */
function inWords(ctx: Pick<Context, 'deps'>, version: VersionRow): ByteAnswer {
  const content = contentOf(ctx, version)
  return { body: content instanceof Secret ? wordsOf(content) : Readable.from(eachInWords(content), { objectMode: false }) }
}

async function* eachInWords(parts: AsyncIterable<Secret>): AsyncGenerator<string> {
  for await (const part of parts) yield wordsOf(part)
}

export const getTerraformState = endpoint({
  route: 'GET /projects/:id/terraform/state/:name',
  summary: 'Get the state that was written last; 204 for one that has only been locked',
  dialect: terraform,
  scope: inTerraformState,
  can: 'read_terraform_state',
  jobToken: true,
  answers: bytes('application/octet-stream', 200, 204),
  async run(ctx) {
    const newest = await newestVersion(ctx.db, ctx.state.id)
    return newest ? inWords(ctx, newest) : { body: '', status: 204 }
  },
})

export const writeTerraformState = endpoint({
  route: 'POST /projects/:id/terraform/state/:name',
  summary: 'Write a new version of a state, with a new serial',
  dialect: terraform,
  scope: inProject,
  can: 'admin_terraform_state',
  jobToken: true,
  rawBody: true,
  writes: 'own',
  params: { ...statePathParams, ID: optional(lockId) },
  answers: bytes('application/json', 200, 204),
  errors: ['conflict', 'unprocessable', 'too_large'],
  async run(ctx) {
    const { project, params, body } = ctx
    const content = await readRawBody(body, MAX_STATE)
    // Contract: nothing in place of a state is 204, and changes nothing (Terraform state API at 14.0).
    if (content.length === 0) return { body: '', status: 204 }
    // A large one stays in memory while others are checked.
    ctx.deps.limiter.answer(ctx, content.length)
    await commands.writeVersion(ctx, project, params.name, await checkedState(content), params.ID)
    return { body: '', status: 200 }
  },
})

/** What ends a state, or its lock. Contract: 200 without a body (Terraform state API at 14.0). */
const ending = {
  dialect: terraform,
  scope: inTerraformState,
  can: 'admin_terraform_state',
  jobToken: true,
  params: { ID: optional(lockId) },
  answers: { ...nothing, status: 200 },
  errors: ['conflict'],
} as const

export const deleteTerraformState = endpoint({
  ...ending,
  route: 'DELETE /projects/:id/terraform/state/:name',
  summary: 'Delete a state with its versions',
  run: ctx => commands.removeState(ctx, { projectId: ctx.project.id, name: ctx.state.name }, ctx.params.ID),
})

/** The lock that holds, in the words of the client that took it; `Who` is the username of its user. */
const lockIn = ({ lock_id, lock_info, locked_by, locked_at }: StateRow): object => ({
  ID: lock_id,
  ...(lock_info as unknown as commands.LockInfo),
  Who: locked_by,
  Created: locked_at,
})

export const lockTerraformState = endpoint({
  route: 'POST /projects/:id/terraform/state/:name/lock',
  summary: 'Lock a state, and get the lock that holds: 409 where it is another one',
  dialect: terraform,
  scope: inProject,
  can: 'admin_terraform_state',
  jobToken: true,
  params: {
    ...statePathParams,
    ID: lockId,
    Operation: text('What it is locked for', { maxLength: 255, examples: ['OperationTypeApply'] }),
    Info: text('More about it', { maxLength: 1_000, examples: ['by hand'] }),
    Who: text('Who locks it, as the client sees it; the answer has the username', { maxLength: 255, examples: ['root@host'] }),
    Version: text('Version of Terraform', { maxLength: 255, examples: ['1.0.0'] }),
    Created: text('When, by the clock of the client', { maxLength: 255, examples: ['2021-06-01T12:00:00Z'] }),
    Path: text('Path of the state', { maxLength: 1_000, examples: ['terraform.tfstate'] }),
  },
  answers: bytes('application/json', 200, 409),
  run: async ctx => {
    const { ID, Operation, Info, Version, Path, name } = ctx.params
    const { state, isOurs } = await commands.takeLock(ctx, { projectId: ctx.project.id, name }, ID, { Operation, Info, Version, Path })
    return { body: JSON.stringify(lockIn(state)), status: isOurs ? 200 : 409 }
  },
})

export const unlockTerraformState = endpoint({
  route: 'DELETE /projects/:id/terraform/state/:name/lock',
  summary: 'Unlock a state, by the ID of the lock, or without one by force',
  ...ending,
  run: ctx => commands.releaseLock(ctx, { projectId: ctx.project.id, name: ctx.state.name }, ctx.params.ID),
})

export const getTerraformStateVersion = endpoint({
  route: 'GET /projects/:id/terraform/state/:name/versions/:serial',
  summary: 'Get a version of a state by its serial',
  dialect: terraform,
  scope: inTerraformStateVersion,
  can: 'read_terraform_state',
  jobToken: true,
  answers: bytes('application/octet-stream'),
  run: ctx => inWords(ctx, ctx.version),
})

export const deleteTerraformStateVersion = endpoint({
  route: 'DELETE /projects/:id/terraform/state/:name/versions/:serial',
  summary: 'Delete a version of a state',
  dialect: terraform,
  scope: inTerraformStateVersion,
  can: 'admin_terraform_state',
  jobToken: true,
  answers: nothing,
  run: ctx => commands.removeVersion(ctx, ctx.state, ctx.version.serial),
})
