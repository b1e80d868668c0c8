/** The two exchanges of git's HTTP transport, streamed in both directions. */
import { PassThrough, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { GitError, uploadPack } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { ensureRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { receivePush } from '../ref_updates/push.ts'
import { currentPusher } from './access.ts'

/** The request body, decompressed: git compresses requests. */
function decompressed(ctx: Context, body: Readable): Readable {
  const encoding = ctx.request.headers['content-encoding']
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return body
  const gunzip = createGunzip()
  // An aborted request must abort the exchange.
  body.once('error', error => gunzip.destroy(error))
  body.once('aborted', () => gunzip.destroy(new GitError('aborted', 'The client went away')))
  return body.pipe(gunzip)
}

/** The version of git's protocol that the client requests. */
export const protocolOf = (ctx: Context): string | undefined => ctx.request.headers['git-protocol']?.toString()

/** Runs an exchange whose response has begun: a failure is logged and aborts the response. Its work ends when git has. */
function exchange(ctx: Context, run: (response: PassThrough) => Promise<unknown>): ByteAnswer {
  const response = new PassThrough()
  const work = run(response).catch(error => {
    const isClients = error instanceof GitError && (error.kind === 'aborted' || error.kind === 'invalid')
    if (isClients || ctx.request.signal.aborted) ctx.log.info({ err: error }, 'a git client broke off')
    else ctx.log.error({ err: error }, 'an exchange with a git client failed')
    // If the client was informed of the failure in-band, the response has ended already.
    if (!response.writableEnded) response.destroy(error as Error)
  })
  return { body: response, work }
}

/** Serves a fetch or clone. */
export async function serveFetch(ctx: Context, project: ProjectWithRole, body: Readable): Promise<ByteAnswer> {
  const repository = await ensureRepository(ctx.db, ctx.deps.storages, project)
  const request = decompressed(ctx, body)
  const { signal } = ctx.request
  return exchange(ctx, response => uploadPack(repository, { request, response, protocol: protocolOf(ctx), stateless: true, signal }))
}

/** Serves a push. */
export async function servePush(ctx: Context, project: ProjectWithRole, body: Readable): Promise<ByteAnswer> {
  const current = () => currentPusher(ctx, project.id)
  return exchange(ctx, response => receivePush(ctx, project, { request: decompressed(ctx, body), response, requestEnds: true, current }))
}
