/**
 * The server of static sites: a listener of its own, since nothing of the instance may share an origin with what users write. It knows no
 * endpoint and no session of the instance.
 */
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { type Actor, anonymous } from '../../../platform/access/actor.ts'
import type { SitesAddress } from '../../../platform/config.ts'
import { DatabaseUnavailable, isRefusedByServer } from '../../../platform/db/errors.ts'
import { listeningAddress } from '../../../platform/kernel/addresses/address.ts'
import { sitesPort } from '../../../platform/kernel/addresses/site_address.ts'
import { rangeOf } from '../../../platform/kernel/answer/object.ts'
import { refusalByStore } from '../../../platform/kernel/answer/store_refusals.ts'
import { assertHeaders, guardServer, serverOptions } from '../../../platform/kernel/connections/guard.ts'
import { RunningWork } from '../../../platform/kernel/connections/running.ts'
import type { Context, Deps } from '../../../platform/kernel/context.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { localPath } from '../../../platform/pages/frame/local_path.ts'
import { html } from '../../../platform/pages/html.ts'
import { projectAllowing } from '../../../spaces/projects/scope.ts'
import type { ServedSite } from '../queries.ts'
import { fileAt, find, type SiteFile } from './files.ts'
import { placesOf, type SitePlace, segmentsOf } from './place.ts'
import { BEGIN, beginSignIn, END, endSignIn, type Leading, visitorOf } from './sign_in.ts'

export interface SitesServer {
  /** Port that it listens on. */
  readonly port: number
  /** Accepts no more connections, and waits for running answers, `patience` milliseconds at most. */
  stop(patience?: number): Promise<void>
}

const PATIENCE = 10_000

/** Seconds for which anyone may keep a file of a site that is open to everyone. */
const KEPT = 600

/** Starts the server; rejects if it cannot listen. */
export async function startSitesServer(deps: Deps, sites: SitesAddress): Promise<SitesServer> {
  const app = sitesApp(deps, sites)
  await app.listen({ host: deps.config.host, port: sitesPort(deps.config) })
  return {
    port: (app.server.address() as AddressInfo).port,
    async stop(patience = PATIENCE) {
      const timer = setTimeout(() => app.server.closeAllConnections(), patience)
      try {
        await app.close()
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** The application that answers for all hosts of sites. */
function sitesApp(deps: Deps, sites: SitesAddress): FastifyInstance {
  const app = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    http: serverOptions(deps.config),
    trustProxy: deps.config.trustedProxies.length > 0 ? [...deps.config.trustedProxies] : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // No address leads to a route, so that none is decoded by a router.
    rewriteUrl: () => '/',
  })
  guardServer(app.server, deps.config, deps.log)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', async request => assertHeaders(request.raw))
  app.addHook('onResponse', async (request, reply) => {
    const path = request.originalUrl.split('?', 1)[0]
    request.log.info(
      { method: request.method, host: request.hostname, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 },
      'site',
    )
  })
  const work = new RunningWork(app)
  app.setNotFoundHandler((request, reply) => work.run(() => answer(deps, sites, request, reply)))
  app.setErrorHandler((error, request, reply) => {
    const lost = refusalByStore(error)
    if (error instanceof Refusal) return void reply.code(error.status).headers(error.headers).type('text/plain').send(`${error.status}\n`)
    const status = lost?.status ?? (error instanceof DatabaseUnavailable || isRefusedByServer(error) ? 503 : 500)
    request.log.error({ err: error, host: request.hostname }, 'a site could not be served')
    return void reply
      .code(status)
      .headers(ownPage)
      .send(pageOf(`${status}`, 'The site cannot be served right now. Please try again later.'))
  })
  return app
}

/** Headers of the pages that are not of a site. */
const ownPage = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const pageOf = (title: string, says: string, more?: ReturnType<typeof html>): string =>
  html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1><p>${says}</p>${more}</html>`
    .text

async function answer(deps: Deps, sites: SitesAddress, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return reply
      .code(405)
      .headers({ ...ownPage, allow: 'GET, HEAD' })
      .send(pageOf('405', 'Sites are only read.'))
  const [path = '', query] = splitAt(request.originalUrl)
  const host = request.hostname.toLowerCase()
  const segments = segmentsOf(path)
  if (!segments) return reply.code(404).headers(ownPage).send(pageOf('404', 'There is nothing here.'))
  if (path === BEGIN || path === END) return signIn(deps, sites, { host, path, query }, request, reply)
  const { db } = deps.database
  const places = await placesOf({ db, sites, now: deps.now() }, host, segments)
  const visitor = await visitorOf(deps, sites, host, request.headers.cookie)
  for (const place of places)
    if (await maySee(deps, visitor, place.site)) return sendFrom(deps, { place, path, query, segments, visitor }, request, reply)
  // The same for what is not there and what this visitor may not see.
  return nothing(deps, sites, { host, to: request.originalUrl, visitor }, request, reply)
}

const splitAt = (address: string): readonly [path: string, query: string] => {
  const at = address.indexOf('?')
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)]
}

/** Is a site open to a visitor? One of the level `public` is, whatever its project is. */
async function maySee({ database }: Deps, actor: Actor, site: ServedSite): Promise<boolean> {
  if (site.pages_access_level === 'public') return true
  try {
    return (await projectAllowing({ db: database.db, actor }, String(site.project_id), 'read_site')) !== undefined
  } catch (error) {
    // The group asks for a sign-in with its provider first.
    if (error instanceof Refusal) return false
    throw error
  }
}

interface Asked {
  readonly place: SitePlace
  readonly path: string
  readonly query: string
  readonly segments: readonly string[]
  readonly visitor: Actor
}

/** Sends the file that is asked for, or the page of the site for what it does not have. */
async function sendFrom(
  deps: Deps,
  { place: { site, rest }, path, query, segments, visitor }: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isOpen = visitor.user === undefined || (await maySee(deps, anonymous, site))
  const caching: Record<string, string> = isOpen
    ? { 'cache-control': `public, max-age=${KEPT}`, 'access-control-allow-origin': '*' }
    : { 'cache-control': 'private, no-cache', vary: 'cookie' }
  const accepted = request.headers['accept-encoding']
  const found = rest === undefined ? ({ folder: true } as const) : await find(deps.objects, site, rest, accepted)
  if (found && 'folder' in found) {
    // Written from its segments: no spelling of a path becomes the address of another host.
    const location = `/${segments.map(encodeURIComponent).join('/')}/${query}`
    return reply
      .code(302)
      .headers({ ...caching, location })
      .send()
  }
  const file = found?.file ?? (await fileAt(deps.objects, site, '404.html', accepted))
  if (!file)
    return reply
      .code(404)
      .headers({ ...ownPage })
      .send(pageOf('404', `There is nothing at ${path}.`))
  // Nothing for this visitor may be something after a sign-in: a browser that had kept the 404 would show that again.
  const headers = found || !isOpen ? caching : { ...caching, 'cache-control': 'no-cache' }
  return send({ file, status: found ? 200 : 404, headers, publishedAt: new Date(site.published_at) }, request, reply)
}

interface Sent {
  readonly file: SiteFile
  readonly status: 200 | 404
  readonly headers: Readonly<Record<string, string>>
  readonly publishedAt: Date
}

async function send(
  { file, status, headers: more, publishedAt }: Sent,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { etag, encoding, mediaType, size } = file
  const headers = {
    ...more,
    vary: more.vary ? `${more.vary}, accept-encoding` : 'accept-encoding',
    etag,
    'last-modified': publishedAt.toUTCString(),
    'x-content-type-options': 'nosniff',
  }
  if (status === 200 && isKept(request, etag, publishedAt)) return reply.code(304).headers(headers).send()
  const range = status === 200 ? rangeOf(asContext(request), size, etag) : undefined
  // Before any header: bytes that cannot be read become another answer.
  const bytes = request.method === 'HEAD' ? undefined : await file.read(range)
  return reply
    .code(range ? 206 : status)
    .headers({
      ...headers,
      'accept-ranges': 'bytes',
      'content-type': mediaType,
      'content-length': String(range ? range.end - range.start + 1 : size),
      ...(encoding && { 'content-encoding': encoding }),
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${size}` }),
    })
    .send(bytes)
}

/** What `rangeOf` reads of a request. */
const asContext = ({ method, headers }: FastifyRequest): Pick<Context, 'request'> =>
  ({ request: { method, headers } }) as unknown as Pick<Context, 'request'>

/** Has the client this very file (RFC 9110 section 13)? */
function isKept({ headers }: FastifyRequest, etag: string, publishedAt: Date): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers
  if (tags !== undefined) return tags.trim() === '*' || tags.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
  const time = since === undefined ? Number.NaN : Date.parse(since)
  return time >= Math.floor(publishedAt.getTime() / 1000) * 1000
}

interface Missing {
  readonly host: string
  readonly to: string
  readonly visitor: Actor
}

/** 404; a browser that is not signed in is led to sign in first, whether there is something or not. */
function nothing(
  deps: Deps,
  sites: SitesAddress,
  { host, to, visitor }: Missing,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const isPage = request.headers.accept?.includes('text/html') === true
  if (isPage && visitor.user === undefined) return lead(reply, 302, beginSignIn(asking(deps, sites, host, request), localPath(to)))
  return reply.code(404).headers(ownPage).send(pageOf('404', 'There is nothing here, or you may not see it.'))
}

const asking = (deps: Deps, sites: SitesAddress, host: string, request: FastifyRequest) => ({
  sites,
  host,
  instance: deps.config.externalUrl ?? listeningAddress(deps),
  cookies: request.headers.cookie,
})

const lead = (reply: FastifyReply, status: 302 | 303, { location, cookies }: Leading): FastifyReply =>
  reply
    .code(status)
    .headers({ ...ownPage, location })
    .header('set-cookie', [...cookies])
    .send()

/** The two addresses on a host of sites that are none of a site's. */
function signIn(
  deps: Deps,
  sites: SitesAddress,
  { host, path, query }: { readonly host: string; readonly path: string; readonly query: string },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const params = new URLSearchParams(query)
  if (path === BEGIN) return lead(reply, 302, beginSignIn(asking(deps, sites, host, request), localPath(params.get('to') ?? undefined)))
  const ended = endSignIn(deps, sites, host, { code: params.get('code') ?? '', cookies: request.headers.cookie })
  if (ended) return lead(reply, 303, ended)
  return reply
    .code(400)
    .headers(ownPage)
    .send(pageOf('This sign-in is over', 'It took too long, or was begun in another browser.', html`<p><a href="/">Try again</a></p>`))
}
