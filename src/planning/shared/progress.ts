/** How far a set of issues is: counted by state and by weight. */
import { sql } from 'kysely'

export interface Progress {
  readonly open: number
  readonly closed: number
  /** The sum of the weights, of all issues and of the closed ones. */
  readonly weight: number
  readonly closed_weight: number
}

/** The progress of nothing. */
export const noProgress: Progress = { open: 0, closed: 0, weight: 0, closed_weight: 0 }

/** The columns of `Progress` for a statement that has `issues`. */
export const progressColumns = sql`
  count(issues.id) filter (where issues.state = 'opened')::int as open, count(issues.id) filter (where issues.state = 'closed')::int as closed,
  coalesce(sum(issues.weight), 0)::int as weight, coalesce(sum(issues.weight) filter (where issues.state = 'closed'), 0)::int as closed_weight`

/** How much of the issues is closed, from 0 to 1. Pure. */
export const closedShare = ({ open, closed }: Progress): number => (open + closed === 0 ? 0 : closed / (open + closed))
