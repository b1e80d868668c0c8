/**
 * A relay between git and another server, which lets only the smart protocol of git through. Git has no setting that refuses the dumb protocol, and its
 * reader of that protocol checks no object (`fetch.fsckObjects` is for packs of the smart one). A question beforehand would not help: a hostile server
 * may answer git otherwise. Once such objects are here it is too late, for a later fetch does not look at what is here.
 */
import { randomBytes } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, isIP } from 'node:net'
import { pipeline } from 'node:stream'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Secret } from '../../../secret.ts'

const ADVERTISEMENT = 'application/x-git-upload-pack-advertisement'

/** Where the relay leads. */
interface Destination {
  readonly url: URL
  readonly address: string
  readonly port: number
  /** The header with the credentials, if there are any. */
  readonly authorization: string | undefined
}

/** A relay that listens on this machine. */
export interface SmartRelay {
  /** What git is to read from. Other users of the machine do not know the password. */
  readonly remote: {
    readonly url: URL
    readonly address: string
    readonly port: number
    readonly credentials: { readonly username: string; readonly password: Secret }
  }
  /** Has the server answered without speaking the smart protocol? */
  readonly isDumb: () => boolean
}

/** Headers that pass, beside that of the credentials. */
const ASKED = ['accept', 'accept-encoding', 'content-encoding', 'content-length', 'content-type', 'git-protocol', 'user-agent'] as const
const ANSWERED = ['content-encoding', 'content-length', 'content-type'] as const

const pick = (headers: http.IncomingHttpHeaders, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap(name => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    }),
  )

let trusted: SecureContext | undefined
/** What git itself would trust, the certificates of the machine, and what Node trusts. */
const trust = (): SecureContext => {
  trusted ??= createSecureContext({ ca: [...new Set([...getCACertificates('default'), ...getCACertificates('system')])] })
  return trusted
}

/** The requests of the smart protocol for reading, as git makes them below an address. */
function targetsOf({ href }: URL): Readonly<Record<string, string>> {
  const base = href.endsWith('/') ? href : `${href}/`
  const query = `${base.includes('?') ? '&' : '?'}service=git-upload-pack`
  return { 'GET /info/refs?service=git-upload-pack': `${base}info/refs${query}`, 'POST /git-upload-pack': `${base}git-upload-pack` }
}

/** Does `work` with a relay to a server. */
export async function withSmartRelay<T>(destination: Destination, work: (relay: SmartRelay) => Promise<T>): Promise<T> {
  const { url, address, port, authorization } = destination
  const isSecure = url.protocol === 'https:'
  const agent = isSecure ? new https.Agent({ keepAlive: true, secureContext: trust() }) : new http.Agent({ keepAlive: true })
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const targets = targetsOf(url)
  const secret = randomBytes(24).toString('base64url')
  const expected = `Basic ${Buffer.from(`relay:${secret}`).toString('base64')}`
  let isDumb = false

  const server = http.createServer((request, response) => {
    const target = targets[`${request.method} ${request.url}`]
    if (target === undefined || request.headers.authorization !== expected) return void response.writeHead(404).end()
    const { pathname, search } = new URL(target)
    const asked = (isSecure ? https : http).request({
      method: request.method,
      // The checked address, whatever the name resolves to now; the certificate is for the name.
      host: address,
      family: isIP(address),
      port,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      path: `${pathname}${search}`,
      headers: { ...pick(request.headers, ASKED), ...(authorization && { authorization }), host: url.host },
      agent,
    })
    asked.on('response', answer => {
      const status = answer.statusCode ?? 502
      const type = answer.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
      if (request.method === 'GET' && status >= 200 && status < 300 && type !== ADVERTISEMENT) {
        isDumb = true
        answer.destroy()
        return void response.writeHead(502).end()
      }
      response.writeHead(status, pick(answer.headers, ANSWERED))
      pipeline(answer, response, () => {})
    })
    asked.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    response.on('close', () => asked.destroy())
    pipeline(request, asked, () => {})
  })
  // Git itself gives up a connection on which nothing comes.
  server.requestTimeout = 0
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  try {
    const here = (server.address() as AddressInfo).port
    const remote = {
      url: new URL(`http://127.0.0.1:${here}/`),
      address: '127.0.0.1',
      port: here,
      credentials: { username: 'relay', password: new Secret(secret) },
    }
    return await work({ remote, isDumb: () => isDumb })
  } finally {
    server.close()
    server.closeAllConnections()
    agent.destroy()
  }
}
