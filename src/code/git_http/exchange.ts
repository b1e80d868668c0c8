/** The two exchanges of git's HTTP transport, streamed in both directions. */
import { PassThrough, Readable, type Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGunzip, type Gunzip } from 'node:zlib'
import { advertiseRefs, GitError, type Push, type Repository } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { isClientGone, whenBrokenOff } from '../../platform/kernel/request/wire.ts'
import { ensureRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { countFetch } from '../fetches/counts.ts'
import { PackWatch } from '../fetches/pack_watch.ts'
import { serveUploadPack } from '../fetches/shared_answers.ts'
import { receivePush } from '../ref_updates/push.ts'
import { currentPusher } from './access.ts'

/** Git's services over HTTP. */
export const services = ['git-upload-pack', 'git-receive-pack'] as const

/** The request body, decompressed: git compresses requests. */
function decompressed(ctx: Context, body: Readable): Readable {
  const encoding = ctx.request.headers['content-encoding']
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return body
  const gunzip = createGunzip()
  // An aborted request must abort the exchange.
  whenBrokenOff(body, () => gunzip.destroy(new GitError('aborted', 'The client went away')))
  // Its reader gets the error; one that comes before the reader must not end the process.
  gunzip.on('error', () => {})
  body.pipe(gunzip)
  return Readable.from(unpacked(gunzip), { objectMode: false })
}

/** What is compressed wrongly is the fault of the client. */
async function* unpacked(gunzip: Gunzip): AsyncGenerator<Buffer, void, void> {
  try {
    yield* gunzip
  } catch (error) {
    const isOfZlib = (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true
    throw isOfZlib ? new GitError('invalid', 'The request is not compressed as it says') : error
  }
}

/** The version of git's protocol that the client requests. */
const protocolOf = (ctx: Context): string | undefined => ctx.request.headers['git-protocol']?.toString()

/** Runs an exchange whose response has begun: a failure is logged and aborts the response. Its work ends when git has. */
function exchange(ctx: Context, run: (response: Transform) => Promise<unknown>, response: Transform = new PassThrough()): ByteAnswer {
  const work = run(response).catch(error => {
    const isClients = isClientGone(error) || (error instanceof GitError && (error.kind === 'aborted' || error.kind === 'invalid'))
    if (isClients || ctx.request.signal.aborted) ctx.log.info({ err: error }, 'a git client broke off')
    else ctx.log.error({ err: error }, 'an exchange with a git client failed')
    // If the client was informed of the failure in-band, the response has ended already.
    if (!response.writableEnded) response.destroy(error as Error)
  })
  return { body: response, work }
}

/** Serves a fetch or clone of a project, and counts it. */
export async function serveFetch(ctx: Context, project: ProjectWithRole, body: Readable): Promise<ByteAnswer> {
  const repository = await ensureRepository(ctx.db, ctx.deps.storages, project)
  return serveFetchFrom(ctx, repository, body, () => countFetch(ctx.deps, project.id))
}

/**
 * Serves a fetch or clone of a repository.
 * @param onFetched when a pack was sent: a fetch has several exchanges before that, and one that finds nothing new has none
 */
export function serveFetchFrom(ctx: Context, repository: Repository, body: Readable, onFetched?: () => Promise<void>): ByteAnswer {
  const request = decompressed(ctx, body)
  const { signal } = ctx.request
  const answer = onFetched && new PackWatch()
  const run = async (response: Transform) => {
    await serveUploadPack(ctx.deps, repository, { request, response, protocol: protocolOf(ctx), signal })
    if (answer?.hasPack) await onFetched?.()
  }
  return exchange(ctx, run, answer)
}

/** Serves a push to a project. */
export async function servePush(ctx: Context, project: ProjectWithRole, body: Readable): Promise<ByteAnswer> {
  const current = () => currentPusher(ctx, project.id)
  return servePushBy(ctx, body, channel => receivePush(ctx, project, { ...channel, current }))
}

/** Serves a push that `receive` receives. */
export const servePushBy = (
  ctx: Context,
  body: Readable,
  receive: (channel: Pick<Push, 'request' | 'response' | 'requestEnds'>) => Promise<unknown>,
): ByteAnswer => exchange(ctx, response => receive({ request: decompressed(ctx, body), response, requestEnds: true }))

/** Answers the references of a repository, as the first request of git's transport asks for them. */
export function advertisement(ctx: Context, repository: Repository, service: (typeof services)[number], refusesThin: boolean): ByteAnswer {
  const body = Readable.from(advertiseRefs(repository, service, { protocol: protocolOf(ctx), framing: 'http', refusesThin }))
  return { body, work: finished(body), headers: { 'content-type': `application/x-${service}-advertisement` } }
}
