/**
 * Mounts the declarations. A request passes through these steps in this order (decision 8): authentication (401), rate limit (429),
 * validation (400), visibility (404), permission (403), then the command with its own refusals, in one transaction; then the answer.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, anonymous } from '../access/actor.ts'
import { places } from '../config.ts'
import { requestDb } from '../db/handles.ts'
import { type AsyncCommit, transact, transactAsyncCommit } from '../db/transact.ts'
import { addressOf } from './addresses/address.ts'
import { addressWithin } from './addresses/within.ts'
import { encodedFor } from './answer/encoding.ts'
import { presentAll } from './answer/entity.ts'
import { refusalByGit } from './answer/git_refusals.ts'
import { cutPage, type PageRequest, type Rows } from './answer/page.ts'
import { digestInSlices } from './answer/time_slicing.ts'
import type { RunningWork } from './connections/running.ts'
import { type Context, type Deps, type Facts, type RequestFacts, sshUrlOf } from './context.ts'
import { type Answers, type ByteAnswer, type Endpoint, type Method, type Shown, statusesOf } from './declaration/endpoint.ts'
import { assertAbility, attributeJudge, readersOf, readPath } from './declaration/steps.ts'
import { notModified, preconditionFailed, Refusal, Unconfirmed, unknownRoute } from './errors.ts'
import { recordActing, recordSudo } from './request/acting.ts'
import { assertAccess } from './request/authenticate.ts'
import { workFor } from './request/bounds/holder.ts'
import { costOf } from './request/cost.ts'
import { holderOf } from './request/rate_limit.ts'
import { readBody, type Wire } from './request/wire.ts'
import { causeOf } from './vanished.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor
    /** The body as it was sent, once it has been read; undefined for raw ones. */
    sentBody: Wire | undefined
  }
}

/** Serves the endpoints of the paths that requests are for (`knownPath`), as work of the application. What an endpoint needs is made with its first request. */
export function mount(app: FastifyInstance, deps: Deps, work: RunningWork): void {
  app.decorateRequest('actor')
  app.decorateRequest('sentBody')
  const servers = new Map<Endpoint, Serve>()
  const serverFor = (endpoint: Endpoint) => {
    const known = servers.get(endpoint) ?? serverOf(endpoint, deps)
    servers.set(endpoint, known)
    return known
  }
  for (const method of methods) mountMethod(app, method, deps, work, serverFor)
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Fastify adds HEAD to GET. */
function mountMethod(app: FastifyInstance, method: Method, deps: Deps, work: RunningWork, serverFor: (endpoint: Endpoint) => Serve): void {
  const endpointOf = ({ knownPath }: FastifyRequest): Endpoint => {
    const endpoint = knownPath?.endpoints.get(method)
    if (!endpoint) throw unknownRoute()
    return endpoint
  }
  app.route({
    method,
    url: '*',
    onRequest: (request, reply) =>
      work.run(async () => {
        const endpoint = endpointOf(request)
        request.actor = anonymous
        if (endpoint.dialect.headers) reply.headers(endpoint.dialect.headers)
        request.actor = await endpoint.dialect.authenticate(request, deps).catch(async refusal => {
          // A caller with invalid credentials counts as an anonymous one.
          reply.headers(await deps.limiter.request(anonymous, request.ip))
          throw refusal
        })
        if (endpoint.counted !== false) reply.headers(await deps.limiter.request(request.actor, request.ip, costOf(endpoint)))
        assertAccess(endpoint, request.actor, deps)
      }),
    handler: (request, reply) => {
      const serve = serverFor(endpointOf(request))
      return work.run(() => workFor(holderOf(request.actor, request.ip), () => serve(request, reply)))
    },
  })
}

function serverOf(endpoint: Endpoint, deps: Deps): Serve {
  const { path: pathReader, all: reader } = readersOf(endpoint)
  const bodyOptions = { limit: endpoint.bodyLimit ?? endpoint.dialect.bodyLimit, uploadDirectory: places(deps.config).uploads }
  const permitted = attributeJudge(endpoint)
  const cost = costOf(endpoint)
  const inTransaction = endpoint.method !== 'GET' && endpoint.writes !== 'own'
  const actorNow = async (request: FastifyRequest): Promise<Actor> => {
    const actor = await endpoint.dialect.authenticate(request, deps)
    assertAccess(endpoint, actor, deps)
    return actor
  }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ctx = contextOf(request, reply, deps)
    if (endpoint.dialect.accessFirst) {
      const path = readPath(pathReader, pathValues(request, endpoint), deps)
      assertAbility(endpoint, request.actor, await endpoint.scope.load(ctx, path as never))
    }
    const hasBody = endpoint.method !== 'GET' && !endpoint.rawBody
    const body = hasBody ? await readBody(request.raw.headers, request.raw, bodyOptions) : undefined
    request.sentBody = body?.values
    let rendered: Rendered | undefined
    let release: (() => void) | undefined
    let sent: Wire = {}
    try {
      sent = { ...(request.query as Wire), ...body?.values }
      if (endpoint.sent) sent = endpoint.sent(sent)
      const wire: Wire = {
        ...(endpoint.dialect.namesInAnyCase ? reader.inDeclaredCase(sent) : sent),
        ...pathValues(request, endpoint),
      }
      const params = reader.read(wire, deps.config.tier)
      const path = readPath(pathReader, wire, deps)
      await recordActing(ctx)
      const act = async (within: Context) => {
        const subjects = await endpoint.scope.load(within, path as never)
        assertAbility(endpoint, request.actor, subjects)
        assertUnmodified(endpoint, request, subjects)
        const allowed = permitted(request.actor, subjects, params)
        // The work starts here: a caller without access takes no slot.
        release ??= await deps.limiter.enter(cost, { actor: request.actor, ...ctx.request })
        const result = await endpoint.run({ ...within, ...subjects, params: allowed, body: request.raw })
        if (endpoint.method !== 'GET') await recordSudo(within)
        return result
      }
      const show = (within: Context, result: unknown) => render(endpoint.answers, within, result, params, request)
      if (!inTransaction) rendered = await show(ctx, await act(ctx))
      // The answer runs the list query, so it shares the transaction.
      else if (endpoint.answers.kind === 'page')
        rendered = await transact(ctx.db, async db => show({ ...ctx, db }, await act({ ...ctx, db })))
      else rendered = await awaitDurable(await transactAsyncCommit(ctx.db, db => act({ ...ctx, db })), result => show(ctx, result))
    } catch (error) {
      const refusal = endpoint.refused && shownRefusal(error)
      const path = () => readPath(pathReader, pathValues(request, endpoint), deps) as never
      if (!refusal) throw await causeOf(error, async () => endpoint.scope.load({ ...ctx, actor: await actorNow(request) }, path()))
      const subjects = await endpoint.scope.load(ctx, path())
      assertAbility(endpoint, request.actor, subjects)
      const shown = await render(endpoint.answers, ctx, await endpoint.refused({ ...ctx, ...subjects }, refusal, sent), {}, request)
      // The page is that of a form that cannot be taken as it is; what the caller may not do stays that.
      rendered = shown.status === 422 && (refusal.status === 403 || refusal.status === 404) ? { ...shown, status: refusal.status } : shown
    } finally {
      if (release) void Promise.allSettled([rendered?.work]).then(release)
      await body?.discard()
    }
    return send(reply, request, endpoint, endpoint.dialect.compresses ? await inFewerBytes(rendered, request) : rendered)
  }
}

/** A document as the client takes it: compressed, if it does. */
async function inFewerBytes(rendered: Rendered, { headers }: FastifyRequest): Promise<Rendered> {
  const { body } = rendered
  const type = rendered.headers['content-type'] ?? rendered.mediaType
  if (body === undefined || body instanceof Readable || !type?.startsWith('text/html')) return rendered
  const encoded = await encodedFor(headers['accept-encoding'], typeof body === 'string' ? Buffer.from(body) : body)
  return { ...rendered, body: encoded.body, headers: { ...rendered.headers, ...encoded.headers } }
}

/**
 * The refusals that a form shows with what was typed; besides them, that a confirmation is needed first. A 404 is about what the form names: where the
 * place itself is not there, its scope says so again before anything is shown.
 */
const shownStatuses: ReadonlySet<number> = new Set([400, 403, 404, 405, 406, 409, 422])

/** The refusal that a form shows, if the error is one; also what git refused. */
function shownRefusal(error: unknown): Refusal | undefined {
  const refusal = error instanceof Refusal ? error : refusalByGit(error)
  return refusal && (shownStatuses.has(refusal.status) || refusal instanceof Unconfirmed) ? refusal : undefined
}

/**
 * Renders the result of a transaction while the commit is flushed, and returns when it is durable. What else the answer shows is looked up
 * meanwhile, after the transaction has released its locks.
 */
async function awaitDurable<T>({ result, durable }: AsyncCommit<unknown>, show: (result: unknown) => Promise<T>): Promise<T> {
  const [shown] = await Promise.all([show(result), durable])
  return shown
}

/** Path parameters by name; Fastify calls a wildcard `*`. */
function pathValues(request: FastifyRequest, endpoint: Endpoint): Record<string, string> {
  const values = request.params as Record<string, string>
  const wildcard = /\*(\w+)$/.exec(endpoint.path)?.[1]
  return wildcard ? { ...values, [wildcard]: values['*'] ?? '' } : values
}

function contextOf(request: FastifyRequest, reply: FastifyReply, deps: Deps): Context {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  const facts: RequestFacts = {
    id: request.id,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    method: request.method,
    address: addressWithin(request),
    headers: request.headers,
    signal: gone.signal,
    afterAnswer: call => {
      if (reply.raw.closed) call()
      else reply.raw.once('close', call)
    },
  }
  const url = addressOf(request, deps)
  return {
    db: requestDb(deps.database.db),
    deps,
    actor: request.actor,
    tier: deps.config.tier,
    now: deps.now(),
    url,
    sshUrl: sshUrlOf(url, deps),
    log: request.log,
    request: facts,
  }
}

/** The URL of the request below `url`, for links to other pages. */
const linkBase = (request: FastifyRequest, url: string): URL => new URL(url + addressWithin(request))

/** `If-Unmodified-Since` on DELETE (decision 15), compared in whole seconds like the header. */
function assertUnmodified(endpoint: Endpoint, request: FastifyRequest, subjects: object): void {
  const header = request.headers['if-unmodified-since']
  const modifiedAt = endpoint.method === 'DELETE' && header ? endpoint.scope.modifiedAt?.(subjects as never) : undefined
  if (modifiedAt === undefined) return
  const since = Date.parse(header as string)
  if (!Number.isNaN(since) && Math.floor(Date.parse(modifiedAt) / 1000) * 1000 > since) throw preconditionFailed()
}

/** A rendered answer. */
interface Rendered {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: ByteAnswer['body'] | undefined
  readonly mediaType: string | undefined
  /** The entity tag of the body, if it follows from the body. */
  readonly tag?: string
  readonly work?: Promise<unknown> | undefined
}

async function render(
  answers: Answers,
  ctx: Context,
  result: unknown,
  params: Record<string, unknown>,
  request: FastifyRequest,
): Promise<Rendered> {
  switch (answers.kind) {
    case 'nothing':
      return { status: answers.status, headers: {}, body: undefined, mediaType: undefined }
    case 'bytes': {
      const { body, headers = {}, status, etag, modifiedAt, work } = result as ByteAnswer
      return {
        status: status ?? answers.statuses[0],
        headers: { ...headers, ...(etag !== undefined && { etag }), ...lastModified(modifiedAt, ctx.now) },
        body,
        mediaType: answers.mediaType,
        work,
      }
    }
    case 'one': {
      const [json] = await presentAll(entityFor(answers.entity, ctx, params), ctx, [result as never])
      return {
        status: typeof answers.status === 'object' ? answers.status.of(result as never) : statusesOf(answers, request.method as Method)[0],
        ...(await tagged(JSON.stringify(json), request)),
        headers: answers.headers?.(result as never) ?? {},
        mediaType: undefined,
      }
    }
    case 'page': {
      const page = await cutPage(
        ctx.db,
        result as Rows<never>,
        params as unknown as PageRequest,
        answers.options,
        linkBase(request, ctx.url),
      )
      const json = await presentAll(entityFor(answers.entity, ctx, params), ctx, page.rows)
      return { status: 200, headers: page.headers, body: JSON.stringify(json), mediaType: undefined }
    }
  }
}

/** A text as bytes, with the entity tag of the answer to a GET. A file of 64 MB may be in it. */
async function tagged(text: string, { method }: FastifyRequest): Promise<{ readonly body: Buffer; readonly tag?: string }> {
  const body = Buffer.from(text)
  if (method !== 'GET' && method !== 'HEAD') return { body }
  return { body, tag: `W/"${await digestInSlices(body, 'sha1', 'base64url')}"` }
}

/** The entity of the answer to this request. */
const entityFor = <Row>(shown: Shown<Row>, facts: Facts, params: Record<string, unknown>) =>
  'sizes' in shown ? shown.pick(facts, params) : shown

function send(reply: FastifyReply, request: FastifyRequest, endpoint: Endpoint, answer: Rendered): FastifyReply {
  reply.code(answer.status).headers(answer.headers)
  if (answer.body === undefined) return reply.send()
  reply.header('content-type', answer.headers['content-type'] ?? answer.mediaType ?? endpoint.dialect.mediaType)
  if (answer.tag !== undefined) reply.header('etag', answer.tag)
  const etag = reply.getHeader('etag')
  const isCurrent = endpoint.method === 'GET' && hasSame(request, etag, reply.getHeader('last-modified'))
  // The stream will not be read, so its source must end.
  if (answer.body instanceof Readable && (isCurrent || request.method === 'HEAD')) answer.body.destroy()
  if (isCurrent) throw notModified()
  // An empty stream, because without a body the length would be sent as 0.
  if (answer.body instanceof Readable && request.method === 'HEAD') return reply.send(Readable.from([]))
  // A buffer is sent as it is; for a text Fastify would add a charset to the media type (decision 19).
  return reply.send(typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body)
}

/** Nothing within the second in which bytes came to be: others may follow in it. */
const lastModified = (at: Date | undefined, now: Date): Record<string, string> =>
  at === undefined || Math.floor(at.getTime() / 1000) >= Math.floor(now.getTime() / 1000) ? {} : { 'last-modified': at.toUTCString() }

/** Has the client what would be sent? Its tag says so, or the time where it sends no tag (RFC 9110, 13.2.2). */
function hasSame({ headers }: FastifyRequest, etag: unknown, modified: unknown): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return typeof etag === 'string' && sameTag(tags, etag)
  return typeof modified === 'string' && headers['if-modified-since'] === modified
}

/** Does an `If-None-Match` header name this tag? Weak and strong tags match alike. */
function sameTag(header: string | undefined, etag: string): boolean {
  if (!header) return false
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.trim() === '*' || header.split(',').some(tag => plain(tag) === plain(etag))
}
