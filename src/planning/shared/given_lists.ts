/** Lists of labels and people among what is given to an issue or a merge request. */

/** The parameters that are such lists. */
const lists = ['labels', 'add_labels', 'remove_labels', 'assignee_ids', 'reviewer_ids'] as const
type ListName = (typeof lists)[number]

/** The parameters with nothing but lists where lists belong. */
export type WithLists<P> = { [K in keyof P]: K extends ListName ? Exclude<P[K], null> : P[K] }

/** The parameters, with null, which clients send to take everything away, as the empty list that it stands for (public behaviour at 14.0). */
export function withLists<P extends object>(params: P): WithLists<P> {
  const given = { ...params } as Record<string, unknown>
  for (const name of lists) if (given[name] === null) given[name] = []
  return given as WithLists<P>
}
