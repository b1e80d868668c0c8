/** Addresses of mail: of the server that takes it, of who sends it, and of those to whom it can go. */
import { Secret } from '../secret.ts'

/** A server that takes mails, as the setting `INGOT_SMTP_URL` says it. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Is TLS spoken from the beginning (`smtps://`)? */
  readonly isSecure: boolean
  /** Is nothing sent before STARTTLS, though no password would be? */
  readonly requiresTls: boolean
  readonly credentials: { readonly user: string; readonly password: Secret } | undefined
}

/** The name and address that mails come from. */
export interface MailSender {
  readonly name: string
  readonly address: string
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 25, 'smtps:': 465 }

/** Ends the address of a server that gets nothing in the clear. */
const REQUIRED = '?starttls=required'

/** Reads `smtp://user:password@host:port`; undefined for a text that has another form. User and password are percent-encoded. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text)
  const standard = url ? PORTS[url.protocol] : undefined
  if (!url || standard === undefined || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.port === '0') return undefined
  if (!['', ...(url.protocol === 'smtp:' ? [REQUIRED] : [])].includes(url.search)) return undefined
  if (url.hash !== '' || (url.username === '') !== (url.password === '')) return undefined
  try {
    const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    return {
      // Brackets belong to the form of a URL.
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? standard : Number(url.port),
      isSecure: url.protocol === 'smtps:',
      requiresTls: url.search === REQUIRED,
      credentials: user === '' ? undefined : { user, password: new Secret(password) },
    }
  } catch {
    // Malformed percent-encoding.
    return undefined
  }
}

/** Reads `Ingot <ingot@example.com>` or `ingot@example.com`; undefined for a text that has another form. */
export function senderOf(text: string): MailSender | undefined {
  const [, name = '', inAngles, bare] = /^(?:([^<>"\r\n]*?)\s*<([^<>\s]+)>|([^<>\s]+))$/.exec(text.trim()) ?? []
  const address = inAngles ?? bare ?? ''
  return canReceive(address) ? { name, address } : undefined
}

/** The characters of a local part that need no quotes (RFC 5321, RFC 6531): a comma or a colon would make two addresses, or another one, of it. */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u

const DOMAIN = /^[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)*$/u

/** Can a mail go to this address, and to no other because of how it is written? Addresses of accounts are looser (identity/emails). */
export function canReceive(address: string): boolean {
  const at = address.lastIndexOf('@')
  return at > 0 && address.length <= 254 && LOCAL.test(address.slice(0, at)) && DOMAIN.test(address.slice(at + 1))
}
