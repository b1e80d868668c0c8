/** Reads a text from an address that a user has given. */
import type { Destination } from './addresses.ts'
import { type Answered, exchange } from './exchange.ts'

export { OutboundFailed } from './exchange.ts'

/**
 * Gets a URL whose certificate must be valid.
 * @param timeout milliseconds for the whole exchange
 * @param limit bytes that are read of the body
 * @throws OutboundFailed
 */
export const get = (
  url: URL,
  destination: Destination,
  { timeout, limit }: { readonly timeout: number; readonly limit: number },
): Promise<Answered> => exchange(url, destination, { headers: {}, body: undefined, verify: true, timeout, limit })
