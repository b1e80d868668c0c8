/** Whom an address stands for, where something is counted by address. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Some proxies forward the port with the address: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
const withPort = /^(?:\[([0-9a-fA-F:.]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/

/** What is no address, as a proxy that is trusted may forward it, is counted as one: each would otherwise begin at zero. */
const NO_ADDRESS = 'no address'

/**
 * The name under which an address is counted: an IPv4 address by itself, however it is written, and an IPv6 address by its first 64 bits,
 * since each customer of a provider has all addresses below them.
 */
export function networkOf(text: string): string {
  const [, bracketed, dotted] = withPort.exec(text) ?? []
  const address = bracketed ?? dotted ?? text
  if (!ipaddr.isValid(address)) return NO_ADDRESS
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const parts = (parsed as ipaddr.IPv6).parts.slice(0, 4)
  return `${parts.map(part => part.toString(16)).join(':')}::/64`
}

/** Is the address one of these addresses or in one of these networks (`10.0.0.0/8`)? */
export function isWithin(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return networks.some(network => {
    const [start = '', length] = network.split('/')
    const first = ipaddr.process(start)
    if (first.kind() !== parsed.kind()) return false
    const bits = length === undefined ? (first.kind() === 'ipv4' ? 32 : 128) : Number(length)
    return parsed.match(first, bits)
  })
}

/** Is the address this machine's own? */
export const isLoopback = (address: string): boolean => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/** Is this an address, or an address with a prefix length? */
export function isNetwork(text: string): boolean {
  const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  return version !== 0 && (length === undefined || Number(length) <= (version === 4 ? 32 : 128))
}
