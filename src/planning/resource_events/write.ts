/** Writes of resource events, derived from the change set of an item in the transaction of the change. */

import { type Insertable, sql } from 'kysely'
import type { ItemKey } from '../../collaboration/item_kinds/kinds.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { DB } from '../../platform/db/schema.ts'
import type { ChangeSet } from '../../platform/events/audit/kinds.ts'

/** The changed item, with user and time. */
export type Changed = ItemKey & {
  readonly user_id: number | null
  readonly created_at: Date
  /** The state of the item after the change. */
  readonly state: 'opened' | 'closed' | 'locked' | 'merged'
}

type NewFact = Omit<Insertable<DB['resource_events']>, 'issue_id' | 'merge_request_id' | 'epic_id' | 'user_id' | 'created_at'>

/** The resource events of a change set. */
function factsOf(changes: ChangeSet, state: Changed['state']): NewFact[] {
  const facts: NewFact[] = []
  const moved = changes.state && stateFact(changes.state.from, changes.state.to)
  if (moved) facts.push({ kind: 'state', state: moved })
  if (changes.labels) {
    const { from, to } = changes.labels as { from: readonly number[]; to: readonly number[] }
    for (const label_id of to) if (!from.includes(label_id)) facts.push({ kind: 'label', action: 'add', label_id })
    for (const label_id of from) if (!to.includes(label_id)) facts.push({ kind: 'label', action: 'remove', label_id })
  }
  if (changes.milestone_id) {
    const { from, to } = changes.milestone_id as { from: number | null; to: number | null }
    // Contract: replacing a milestone is one `add`; `remove` is recorded only if none is left (resource milestone events API).
    facts.push({ kind: 'milestone', action: to === null ? 'remove' : 'add', milestone_id: to ?? from, state })
  }
  if (changes.iteration_id) {
    const { from, to } = changes.iteration_id as { from: number | null; to: number | null }
    facts.push({ kind: 'iteration', action: to === null ? 'remove' : 'add', iteration_id: to ?? from })
  }
  if (changes.weight) facts.push({ kind: 'weight', weight: changes.weight.to as number | null })
  return facts
}

/** Locking a merge request for a merge makes no event, and neither does its release. */
function stateFact(from: unknown, to: unknown): 'closed' | 'merged' | 'reopened' | undefined {
  if (to === 'closed' || to === 'merged') return to
  return from === 'closed' ? 'reopened' : undefined
}

/** Records the resource events of a change set; no statement if there are none. */
export async function recordResourceEvents(db: Db, { state, ...changed }: Changed, changes: ChangeSet): Promise<void> {
  const facts = factsOf(changes, state)
  if (facts.length === 0) return
  await db
    .insertInto('resource_events')
    .values(facts.map(fact => ({ ...fact, ...changed })))
    .execute()
}

/**
 * SQL that records the labels of new issues, as a part of the statement that inserts them.
 * @param made the CTE that returns `issue_id`, `author_id`, `label_ids` and the instant `at` of each issue
 */
export const chartingNewLabels = (made: string) =>
  sql<object>`(insert into resource_events (kind, action, issue_id, user_id, label_id, created_at)
    select 'label', 'add', issue_id, author_id, unnest(label_ids), at from ${sql.table(made)})`

/**
 * SQL that records the milestones and weights of new issues, as a part of the statement that inserts them.
 * @param made the CTE that returns `issue_id`, `author_id`, `milestone_id`, `weight` and the instant `at` of each issue
 */
export const chartingNewPlans = (made: string) =>
  sql<object>`(insert into resource_events (kind, action, state, milestone_id, weight, issue_id, user_id, created_at)
    select fact.kind, fact.action, fact.state, fact.milestone_id, fact.weight, made.issue_id, made.author_id, made.at
      from ${sql.table(made)} made cross join lateral (values
        ('milestone', 'add', 'opened', made.milestone_id, null),
        ('weight', null, null, null, made.weight)) fact(kind, action, state, milestone_id, weight)
     where num_nonnulls(fact.milestone_id, fact.weight) = 1)`
