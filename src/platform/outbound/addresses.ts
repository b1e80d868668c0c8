/**
 * The destinations that Ingot may connect to on behalf of users (webhooks, imports): public addresses, and those in the setting
 * `outboundAllow`. Otherwise any user could make the server send requests to services of its internal network.
 */
import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { outsideTransaction } from '../db/handles.ts'

/** A destination that is not allowed, or does not exist. The message may be shown to the requesting user. */
export class OutboundRefused extends Error {}

/** A name that does not resolve now; it may later. */
export class HostUnresolved extends OutboundRefused {}

/** A resolved and checked host. Connections go to `address`, whatever the name resolves to a moment later. */
export interface Destination {
  readonly host: string
  readonly port: number
  readonly address: string
  readonly family: 4 | 6
}

/** Resolves a name; replaced in tests, since names in private networks do not exist everywhere. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

const resolveHost: Resolve = host => lookup(host, { all: true, verbatim: true })

/**
 * Resolves the host of an address and checks that each of its addresses may be connected to.
 * @param allow names of hosts, addresses and networks (`10.0.0.0/8`) that are allowed although they are not public
 * @throws OutboundRefused
 */
export async function destinationOf(url: URL, allow: readonly string[], resolve: Resolve = resolveHost): Promise<Destination> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const found = ipaddr.isValid(host)
    ? [{ address: host, family: ipaddr.parse(host).kind() === 'ipv6' ? 6 : 4 }]
    : await outsideTransaction(resolve, host, () => resolved(host, resolve))
  const refused = found.find(({ address }) => !isAllowed(host, address, allow))
  if (refused) throw new OutboundRefused(`Requests to the local network are not allowed: ${host}`)
  const [first] = found
  if (!first) throw new HostUnresolved(`Host cannot be resolved: ${host}`)
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return { host, port, address: first.address, family: first.family === 6 ? 6 : 4 }
}

async function resolved(host: string, resolve: Resolve) {
  try {
    return await resolve(host)
  } catch {
    throw new HostUnresolved(`Host cannot be resolved: ${host}`)
  }
}

/** Cloud services for their own machines at addresses that look public. */
const cloudServices = new Set(['168.63.129.16'])

/** The only block of IPv6 that is given out (RFC 4291 section 2.4): `::127.0.0.1` and the like are outside of it. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || cloudServices.has(address.toString())) return false
  return !(address instanceof ipaddr.IPv6) || address.match(globalIpv6)
}

function isAllowed(host: string, address: string, allow: readonly string[]): boolean {
  // An IPv4-mapped IPv6 address is checked as IPv4.
  const parsed = ipaddr.process(address)
  if (isPublic(parsed)) return true
  return allow.some(entry => {
    if (entry.toLowerCase() === host.toLowerCase()) return true
    if (ipaddr.isValid(entry)) return ipaddr.process(entry).toString() === parsed.toString()
    if (!ipaddr.isValidCIDR(entry)) return false
    const [network, bits] = ipaddr.parseCIDR(entry)
    return network.kind() === parsed.kind() && parsed.match([network, bits] as never)
  })
}
