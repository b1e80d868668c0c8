/** Addresses of incoming mail: the one with a place for a key, and the mailbox that it leads to. */
import { Secret } from '../../secret.ts'
import { canReceive } from '../addresses.ts'

/** An address with a place for a key: `incoming+%{key}@example.com`. */
export interface AddressPattern {
  /** Before the key: `incoming+`. */
  readonly before: string
  /** After it: `@example.com`. */
  readonly after: string
}

/** Characters that the local part of an address may have (RFC 5321 section 4.5.3.1.1). */
export const LONGEST_LOCAL = 64

const PLACE = '%{key}'

/** Reads an address with one place for a key, before the `@`; undefined for a text that has another form. */
export function parseAddressPattern(text: string): AddressPattern | undefined {
  const [before, after, ...more] = text.trim().split(PLACE)
  if (before === undefined || after === undefined || more.length > 0) return undefined
  // Without anything before it, every address of the domain would be one.
  return /[+.=_-]$/.test(before) && after.includes('@') && canReceive(`${before}key${after}`) ? { before, after } : undefined
}

/** The address for a key. */
export const addressFor = ({ before, after }: AddressPattern, key: string): string => `${before}${key}${after}`

/** The address for a key, with a path before it: that is there for people, and as long as mail servers take it. */
export function addressBelow(pattern: AddressPattern, path: string, key: string): string {
  const slug = path.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const room = LONGEST_LOCAL - addressFor(pattern, `-${key}`).lastIndexOf('@')
  return addressFor(pattern, `${slug.slice(0, Math.max(0, room))}-${key}`.replace(/^-+/, ''))
}

/** The key in an address, in small letters: mail servers may change their case. Undefined for the address of something else. */
export function keyIn({ before, after }: AddressPattern, address: string): string | undefined {
  const given = address.trim().toLowerCase()
  const [start, end] = [before.toLowerCase(), after.toLowerCase()]
  if (given.length <= start.length + end.length || !given.startsWith(start) || !given.endsWith(end)) return undefined
  return given.slice(start.length, given.length - end.length)
}

/** A mailbox, as the setting `INGOT_IMAP_URL` says it. */
export interface ImapMailbox {
  readonly host: string
  readonly port: number
  /** Is TLS spoken from the beginning (`imaps://`)? */
  readonly isSecure: boolean
  readonly user: string
  readonly password: Secret
  readonly folder: string
}

const PORTS: Readonly<Record<string, number>> = { 'imap:': 143, 'imaps:': 993 }

/** Reads `imaps://user:password@host:port/folder`; undefined for a text that has another form. User, password and folder are percent-encoded. */
export function parseImapUrl(text: string): ImapMailbox | undefined {
  const url = URL.parse(text)
  const standard = url ? PORTS[url.protocol] : undefined
  if (!url || standard === undefined || url.hostname === '' || url.port === '0' || url.search !== '' || url.hash !== '') return undefined
  if (url.username === '' || url.password === '') return undefined
  try {
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? standard : Number(url.port),
      isSecure: url.protocol === 'imaps:',
      user: decodeURIComponent(url.username),
      password: new Secret(decodeURIComponent(url.password)),
      folder: decodeURIComponent(url.pathname.slice(1)) || 'INBOX',
    }
  } catch {
    // Malformed percent-encoding.
    return undefined
  }
}
