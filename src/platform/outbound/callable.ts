/** Whether an address that a user has given may be called by this server: webhooks, integrations. */
import { isIP } from 'node:net'
import { hasLinkCharacters } from '../kernel/addresses/web_address.ts'
import { destinationOf, OutboundRefused, type Resolve } from './addresses.ts'

/** What `localhost` is, in whatever way a machine resolves it. One function, by which a transaction knows that it has asked. */
const localhost: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]

/**
 * Is this a web address that may be called, as far as that is known without name resolution? Host names are resolved and checked
 * before each delivery, since they may change.
 */
export async function isCallable(text: string, allow: readonly string[]): Promise<boolean> {
  const url = URL.parse(text)
  // Parsers drop some characters and read `\` as `/`: the address that is shown would not be the one that is called.
  if (!hasLinkCharacters(text)) return false
  if (!url || !/^https?:\/\//i.test(text) || url.hostname === '' || !isEncoded(url.username + url.password)) return false
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 && !/(^|\.)localhost$/i.test(url.hostname)) return true
  try {
    await destinationOf(url, allow, localhost)
    return true
  } catch (error) {
    if (error instanceof OutboundRefused) return false
    throw error
  }
}

/** Whether each `%` begins an encoded character. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
