/**
 * The application: Fastify, configured for the wire conventions of this API, with every endpoint mounted. The same in production and in
 * tests.
 */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import cors, { type FastifyCorsOptionsDelegatePromise } from '@fastify/cors'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { closeLongPolls, endLongPolls } from '../ci/runner_protocol/assignment/long_polls.ts'
import { DatabaseUnavailable, isRefusedByServer, isRetryable, isUnstorableText } from '../platform/db/errors.ts'
import { assertMethod, pathsOf, routerOptions } from '../platform/kernel/addresses/paths.ts'
import { topOfHost } from '../platform/kernel/addresses/site_address.ts'
import { refusalByDisk } from '../platform/kernel/answer/disk_refusals.ts'
import { refusalByGit } from '../platform/kernel/answer/git_refusals.ts'
import { securityHeaders } from '../platform/kernel/answer/security_headers.ts'
import { refusalByStore } from '../platform/kernel/answer/store_refusals.ts'
import { assertHeaders, guardServer, refuse, serverOptions } from '../platform/kernel/connections/guard.ts'
import { Pressure } from '../platform/kernel/connections/pressure.ts'
import { RunningWork } from '../platform/kernel/connections/running.ts'
import type { Deps } from '../platform/kernel/context.ts'
import { rest } from '../platform/kernel/declaration/dialect.ts'
import type { Endpoint, Method } from '../platform/kernel/declaration/endpoint.ts'
import { badRequest, Refusal, unknownRoute, uriTooLong } from '../platform/kernel/errors.ts'
import { mount } from '../platform/kernel/mount.ts'
import { costOf } from '../platform/kernel/request/cost.ts'
import { assertReadable, decodeQuery } from '../platform/kernel/request/wire.ts'
import { pages } from '../platform/pages/dialect.ts'
import { closeLiveStreams, endLiveStreams } from '../platform/pages/live/hub.ts'
import { observeRequest } from '../platform/system/metrics.ts'
import { stopSettingFormulas } from '../portal/markdown/formulas.ts'
import { stopHighlighting } from '../portal/repository/highlight/highlight.ts'
import { endpoints } from './endpoints.ts'
import { loggedPath } from './logged_path.ts'
import './page_parts.ts'
import './ports.ts'

/**
 * Pages of any origin may use the API with a token, never with the cookie of the visiting user (clients.md b.3). Scripts may read every
 * header, since paging and limits are in them. Addresses below `/-/` are excluded: metrics need no token for callers on the same machine,
 * and a browser there is one.
 */
const crossOrigin: FastifyCorsOptionsDelegatePromise = async ({ url }) => ({
  origin: url.startsWith('/-/') ? false : '*',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: '*',
  maxAge: 7200,
  strictPreflight: false,
})

/** The kernel reads parameters and writes answers: Fastify's compilers, which take long to load, are not. */
const withoutSchemas = {
  compilersFactory: { buildValidator: unusedCompiler, buildSerializer: unusedCompiler },
}

function unusedCompiler(): never {
  throw new Error('a route with a schema of Fastify: declare an endpoint')
}

/** Seconds after which what was unavailable may be asked for again. */
const SOON = '10'

/** The beginning of a valid content type. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

/**
 * Builds the application, ready to listen or to be injected into.
 * @param extend adds hooks, which see requests before the endpoints do
 */
export async function buildApp(
  deps: Deps,
  served: readonly Endpoint[] = endpoints,
  extend: (app: FastifyInstance) => void = () => {},
): Promise<FastifyInstance> {
  const rewrites = [...new Set(served.map(endpoint => endpoint.dialect))].flatMap(({ rewrite }) => (rewrite ? [rewrite] : []))
  const always = securityHeaders(deps.config)
  const headersFor = ({ protocol }: FastifyRequest) => (protocol === 'https' ? always.secure : always.plain)
  const app = fastify({
    loggerInstance: deps.log,
    schemaController: withoutSchemas,
    // The request log below writes one line per request, without query strings.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    http: serverOptions(deps.config),
    routerOptions: {
      ...routerOptions,
      querystringParser: decodeQuery,
    },
    rewriteUrl: ({ url = '/' }) => rewrites.reduce<string | undefined>((found, rewrite) => found ?? rewrite(url), undefined) ?? url,
    // Malformed escapes in a path.
    frameworkErrors: (error, request, reply) => {
      // Only the code: the message contains the address, and its query may contain tokens.
      deps.log.debug({ reqId: request.id, code: error.code }, 'unreadable address')
      const answer = rest.refuse(badRequest('malformed address'), request, deps)
      void (reply as FastifyReply)
        .code(answer.status)
        .headers(headersFor(request as FastifyRequest))
        .header('x-request-id', request.id)
        .header('content-type', answer.mediaType)
        .send(Buffer.from(answer.body ?? ''))
    },
    clientErrorHandler: answerMalformedRequest,
    // The client address for rate limits and the host for links, as a trusted proxy forwards them; other sources are ignored.
    trustProxy: deps.config.trustedProxies.length > 0 ? [...deps.config.trustedProxies] : false,
    forceCloseConnections: 'idle',
    // A request that is here before the connection ends is served; a balancer would not send it to another server after a 503.
    return503OnClosing: false,
  })
  const pressure = new Pressure(() => deps.database.pool.waitingCount > 0)
  guardServer(app.server, deps.config, deps.log, () => pressure.noteRefusal())
  // Before the server waits for running requests: some of them are long polls, or streams of open pages.
  app.addHook('preClose', async () => {
    await Promise.all([endLongPolls(deps), endLiveStreams(deps)])
  })
  app.addHook('onClose', async () => {
    await Promise.all([closeLongPolls(deps.database), closeLiveStreams(deps.database)])
  })
  app.addHook('onClose', async () => stopHighlighting())
  app.addHook('onClose', async () => stopSettingFormulas())
  const work = new RunningWork(app)
  app.removeAllContentTypeParsers()
  // The kernel reads bodies by its own rules (wire.ts); Fastify only passes the stream on.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  // Registered first, so that preflights and refusals have the headers too.
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersFor(request))
  })
  await app.register(cookie)
  await app.register(cors, () => crossOrigin)

  const paths = pathsOf(deps.config.tier, served)
  app.decorateRequest('knownPath')
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    const found = paths.at(request.url)
    request.knownPath = found?.path
    if (found) request.params = found.params
    if (isOrdinary(request)) {
      if (!pressure.admits()) throw overloaded()
      countUnder(pressure, request, reply)
    }
    assertHeaders(request.raw)
    assertOwnHost(request, deps)
    assertReadable(request.query)
    if (isForPeople(request) && isNoPage(request)) await work.run(() => recognize(request, reply, deps))
    if (request.knownPath) assertMethod(request.knownPath, request.method)
    // Before Fastify looks at headers that some methods must have.
    if (request.is404) throw unknownRoute()
    // Fastify would refuse an invalid content type; the kernel has its own rules, and accepts an empty body of any type.
    if (!MEDIA_TYPE.test(request.headers['content-type'] ?? '*/*')) request.headers = { 'content-type': undefined }
  })
  app.addHook('onResponse', async (request, reply) => {
    observeRequest(request.method, request.knownPath?.url, reply.statusCode, reply.elapsedTime / 1000)
    request.log.info(
      {
        method: request.method,
        path: loggedPath(request.url),
        route: request.knownPath?.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.actor?.user?.id,
      },
      'request',
    )
  })
  app.setErrorHandler((error, request, reply) => {
    const dialect = request.knownPath?.dialect ?? (isForPeople(request) ? pages : rest)
    const lost = refusalByStore(error)
    const full = refusalByDisk(error)
    // Parameters are looked at before. What is read out of them is a text too: a second JSON, a document, what is encoded twice.
    const unfit = isUnstorableText(error) ? badRequest('a text has a character that cannot be kept') : undefined
    // Two transactions waited for each other, and this one could not be run again: nothing of it remains.
    const overtaken = isRetryable(error) ? new Refusal('unavailable', { message: OVERTAKEN }) : undefined
    const refusal = error instanceof Refusal ? error : (lost ?? full ?? unfit ?? overtaken ?? refusalByGit(error))
    const answer =
      refusal !== undefined
        ? dialect.refuse(refusal, request, deps)
        : dialect.fail(request.id, error instanceof DatabaseUnavailable || isRefusedByServer(error) ? 503 : 500, request, deps)
    const about = { err: error, method: request.method, path: loggedPath(request.url) }
    if (refusal === undefined) request.log.error(about, 'request failed')
    else if (lost) request.log.error(about, 'the object store does not give what a row names')
    else if (full) request.log.error(about, 'the disk does not take what is to be written')
    else if (unfit) request.log.warn(about, 'the database does not take a text of a request')
    else if (overtaken) request.log.warn(about, 'the database ended a transaction for another one')
    else if (refusal !== error) request.log.info(about, 'git refused a request')
    // Clients that come again by themselves need a time; one that knows better says so.
    if (answer.status === 503) reply.header('retry-after', SOON)
    reply.code(answer.status).headers(answer.headers)
    if (answer.body === undefined) return reply.send()
    return reply.header('content-type', answer.mediaType).send(Buffer.from(answer.body))
  })

  extend(app)
  mount(app, deps, work)
  return app
}

/** 404 for the hosts of sites: nothing of the instance, and no session of it, belongs to an origin that users write. */
function assertOwnHost({ hostname }: FastifyRequest, { config: { pagesUrl: sites } }: Deps): void {
  const host = hostname.toLowerCase()
  if (sites && (host === sites.host || topOfHost(sites, host) !== undefined)) throw unknownRoute()
}

/** Is an address without an endpoint asked for by a browser that shows a page? Clients of the API get its form of a 404. */
const isForPeople = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true && !/^\/(api|oauth)\//.test(url)

/** Is the request one that is answered as soon as the process comes to it? Others wait by design, have slots of their own, or ask how the process is. */
function isOrdinary({ knownPath, method }: FastifyRequest): boolean {
  const endpoint = knownPath?.endpoints.get(method === 'HEAD' ? 'GET' : (method as Method))
  if (!endpoint || endpoint.counted === false) return false
  const cost = costOf(endpoint)
  return cost === 'read' || cost === 'write'
}

/** Counts a request while the server alone is waited for: not while its client sends it, nor while its client reads the answer, slowly as that may be. */
function countUnder(pressure: Pressure, { raw, headers }: FastifyRequest, { raw: answer }: FastifyReply): void {
  const begin = () => {
    // The rest of a body is read after a refusal too.
    if (answer.writableEnded || answer.destroyed) return
    const end = pressure.begin()
    let isOver = false
    const once = () => {
      if (!isOver) end()
      isOver = true
    }
    answer.once('close', once)
    answer.once('prefinish', once)
  }
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (hasBody) raw.once('end', begin)
  else begin()
}

const OVERTAKEN = '503 Service Unavailable - another request was faster, try again'

const overloaded = () => new Refusal('unavailable', { message: '503 Service Unavailable' })

/** Is there no page at the address, or one that only takes forms? */
const isNoPage = ({ knownPath }: FastifyRequest): boolean =>
  knownPath === undefined || (knownPath.dialect === pages && !knownPath.methods.has('GET'))

/** Finds out for whom a page is that is not there: it has their frame. They are counted as for any other. */
async function recognize(request: FastifyRequest, reply: FastifyReply, deps: Deps): Promise<void> {
  reply.headers(pages.headers ?? {})
  request.actor = await pages.authenticate(request, deps)
  reply.headers(await deps.limiter.request(request.actor, request.ip))
}

/** Requests that Node itself cannot parse, and timeouts, get the error form of the contract too. */
function answerMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return void refuse(socket, '408 Request Timeout')
  if (error.code !== 'HPE_HEADER_OVERFLOW') return void refuse(socket, '400 Bad Request', '', badRequest('unreadable request').body)
  const { rawPacket } = error as { rawPacket?: Buffer }
  // An address contains no line ends: if there are some, the headers are too long.
  if (rawPacket?.includes('\r\n')) return void refuse(socket, '431 Request Header Fields Too Large')
  refuse(socket, '414 URI Too Long', '', uriTooLong().body)
}
