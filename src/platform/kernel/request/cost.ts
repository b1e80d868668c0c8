/** What a request costs, in the terms of the limits. */

/**
 * `read` and `write` are the standard of their methods. `heavy` is work that grows with a repository and not with the answer: it counts
 * as several requests, and takes a slot (work_slots.ts). `git` is an exchange with a git client, which lasts as long as the client reads: it
 * takes a slot of those for git. `live` is an open page that listens to changes: it takes a slot of its own kind.
 */
export type Cost = 'read' | 'write' | 'heavy' | 'git' | 'live'

/** Points of the limits, which are in requests a minute. */
export const pointsOf: Readonly<Record<Cost, number>> = { read: 1, write: 1, heavy: 10, git: 1, live: 1 }

/** What a request to this endpoint costs. */
export const costOf = ({ cost, method }: { readonly cost?: Cost | undefined; readonly method: string }): Cost =>
  cost ?? (method === 'GET' ? 'read' : 'write')
