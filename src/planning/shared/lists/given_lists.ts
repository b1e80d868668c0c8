/** List parameters of issues and merge requests: labels and people. */

/** The names of list parameters. */
const lists = ['labels', 'add_labels', 'remove_labels', 'assignee_ids', 'reviewer_ids'] as const
type ListName = (typeof lists)[number]

/** The parameters, with lists that are never null. */
export type WithLists<P> = { [K in keyof P]: K extends ListName ? Exclude<P[K], null> : P[K] }

/** Replaces null, which clients send to clear a list, by an empty list (public behaviour at 14.0). */
export function withLists<P extends object>(params: P): WithLists<P> {
  const given = { ...params } as Record<string, unknown>
  for (const name of lists) if (given[name] === null) given[name] = []
  return given as WithLists<P>
}
