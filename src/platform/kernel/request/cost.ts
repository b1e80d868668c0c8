/** What a request costs, in the terms of the limits. */

/**
 * `read` and `write` are the standard of their methods. `heavy` is work that grows with a repository and not with the answer: it counts
 * as several requests, and takes a slot (work_slots.ts). `walk` is work that seldom takes long, but may, in a repository that was made for it: it
 * counts as one request, and takes a slot of those for heavy work. `git` is an exchange with a git client, which lasts as long as the client reads: it
 * takes a slot of those for git. `live` is an open page that listens to changes: it takes a slot of its own kind.
 */
export type Cost = 'read' | 'write' | 'heavy' | 'walk' | 'git' | 'live'

/** Points of the limits, which are in requests a minute. */
export const pointsOf: Readonly<Record<Cost, number>> = { read: 1, write: 1, heavy: 10, walk: 1, git: 1, live: 1 }

/** What a request to this endpoint costs. */
export const costOf = ({ cost, method }: { readonly cost?: Cost | undefined; readonly method: string }): Cost =>
  cost ?? (method === 'GET' ? 'read' : 'write')

/** The kind of slot that work of this cost takes, if it takes one. */
export function slotOf(cost: Cost): 'heavy' | 'git' | 'live' | undefined {
  if (cost === 'walk') return 'heavy'
  return cost === 'heavy' || cost === 'git' || cost === 'live' ? cost : undefined
}
