/** Groups and projects, as the rows that belong to one or the other name them. */

/** The group or project that a row belongs to. */
export type Place = { readonly namespace_id: number } | { readonly project_id: number }

/** Many groups and projects, by their ids. */
export interface Places {
  readonly namespaceIds: readonly number[]
  readonly projectIds: readonly number[]
}
