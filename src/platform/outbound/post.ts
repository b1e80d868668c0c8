/** Sending something to an address that somebody has named. */
import type { Destination } from './addresses.ts'
import { type Answered, type Exchange, exchange } from './exchange.ts'

export { OutboundFailed } from './exchange.ts'

/** What is posted, and within what bounds. */
export type Posting = Exchange & { readonly body: string }

/** What was answered; redirects are not followed. */
export type Posted = Answered

/**
 * Posts to a URL, over a connection to `destination` of its own.
 * @throws OutboundFailed
 */
export const post = (url: URL, destination: Destination, posting: Posting): Promise<Posted> => exchange(url, destination, posting)
