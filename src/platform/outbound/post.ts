/** Posts to an address that a user has given. */
import type { Destination } from './addresses.ts'
import { type Answered, type Exchange, exchange } from './exchange.ts'

export { OutboundFailed } from './exchange.ts'

/** The body to post, and the limits. */
export type Posting = Exchange & { readonly body: string }

/** The answer; redirects are not followed. */
export type Posted = Answered

/**
 * Posts to a URL over a new connection to `destination`.
 * @throws OutboundFailed
 */
export const post = (url: URL, destination: Destination, posting: Posting): Promise<Posted> => exchange(url, destination, posting)
