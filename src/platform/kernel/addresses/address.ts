/**
 * The address that a client uses for the server. Links in answers lead to it, so a `Host` header that the server does not know must not
 * decide it: a forged one would lead the reader of a cached page or of an email elsewhere.
 */
import type { Socket } from 'node:net'
import { hostname } from 'node:os'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

/** What the address depends on. */
interface Listener {
  readonly config: Config
  readonly http: { readonly port: number }
}

/** A name or an address, in brackets where it is IPv6, and a port. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/

/** Names of this machine on this machine. `*.localhost` never leaves it either (RFC 6761 section 6.3). */
const LOOPBACK_NAME = /^(localhost|[a-z0-9-]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** An address as it stands in a URL. */
const inUrl = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '')
  return plain.includes(':') && !plain.startsWith('[') ? `[${plain}]` : plain
}

/**
 * Is this `Host` one that the server goes by: its listening address, a name of this machine, a name of the setting `hosts`, or the address
 * on which the connection came in? Ports are not compared, since a forwarded port differs from the one that the server knows; a
 * setting with a port is.
 */
export function isKnownHost(host: string, config: Pick<Config, 'host' | 'hosts'>, localAddress?: string): boolean {
  const [, name] = HOST.exec(host.toLowerCase()) ?? []
  // A port that no address can have makes a link that cannot be read.
  if (name === undefined || !URL.canParse(`http://${host}`)) return false
  if (config.hosts.some(known => known === name || known === host.toLowerCase())) return true
  if (LOOPBACK_NAME.test(name) || name === hostname().toLowerCase()) return true
  if (localAddress !== undefined && name === inUrl(localAddress).toLowerCase()) return true
  return !WILDCARDS.has(config.host) && name === inUrl(config.host).toLowerCase()
}

/** The address that the server listens on, for links where no request tells a better one. */
export const listeningAddress = ({ config, http }: Listener): string => `http://${inUrl(config.host)}:${http.port}`

/** Instances whose log has a line about an unknown host. Each gets one: the header is the client's, and must not fill the log. */
const warned = new WeakSet<Config>()

/** The address for links in the answer to a request: the external URL, else the host that was asked if it is known (clients.md 0.9). */
export function addressOf(request: FastifyRequest, deps: Listener & { readonly log: FastifyBaseLogger }): string {
  const { config } = deps
  if (config.externalUrl) return config.externalUrl
  const { host, protocol } = request
  // A request whose body has failed has no connection any more, although its type says so.
  const { localAddress, localPort }: Partial<Pick<Socket, 'localAddress' | 'localPort'>> = request.raw.socket ?? {}
  if (host && isKnownHost(host, config, localAddress)) return `${protocol}://${host}`
  const standard =
    WILDCARDS.has(config.host) && localAddress
      ? `${protocol}://${inUrl(localAddress)}:${localPort}`
      : `${protocol}://${inUrl(config.host)}:${deps.http.port}`
  if (host && !warned.has(config)) {
    warned.add(config)
    deps.log.warn(
      { host, links: standard },
      'a request names a host that is not known: set INGOT_EXTERNAL_URL or INGOT_HOSTS if it is yours',
    )
  }
  return standard
}
