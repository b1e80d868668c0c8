/** Facts of changes, made from the change set of a thing in the transaction of the change. */
import { type Insertable, sql } from 'kysely'
import type { ItemKey } from '../../collaboration/item_kinds/kinds.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { DB } from '../../platform/db/schema.ts'
import type { ChangeSet } from '../../platform/events/events.ts'

/** The thing that has changed, by whom and when. */
export type Changed = ItemKey & {
  readonly user_id: number | null
  readonly created_at: Date
  /** The state of the thing after the change. */
  readonly state: 'opened' | 'closed' | 'locked' | 'merged'
}

type NewFact = Omit<Insertable<DB['resource_events']>, 'issue_id' | 'merge_request_id' | 'epic_id' | 'user_id' | 'created_at'>

/** The facts in a change set. */
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
    // Contract: one milestone in place of another is one `add`; the `remove` is of the last one alone (resource milestone events API).
    facts.push({ kind: 'milestone', action: to === null ? 'remove' : 'add', milestone_id: to ?? from, state })
  }
  if (changes.iteration_id) {
    const { from, to } = changes.iteration_id as { from: number | null; to: number | null }
    facts.push({ kind: 'iteration', action: to === null ? 'remove' : 'add', iteration_id: to ?? from })
  }
  if (changes.weight) facts.push({ kind: 'weight', weight: changes.weight.to as number | null })
  return facts
}

/** That a merge is under way is no fact by itself, and neither is that it has come to nothing. */
function stateFact(from: unknown, to: unknown): 'closed' | 'merged' | 'reopened' | undefined {
  if (to === 'closed' || to === 'merged') return to
  return from === 'closed' ? 'reopened' : undefined
}

/** Keeps the facts in a change set; no statement where there are none. */
export async function recordResourceEvents(db: Db, { state, ...changed }: Changed, changes: ChangeSet): Promise<void> {
  const facts = factsOf(changes, state)
  if (facts.length === 0) return
  await db
    .insertInto('resource_events')
    .values(facts.map(fact => ({ ...fact, ...changed })))
    .execute()
}

/**
 * Keeping that new issues have their labels, as a part of the statement that makes them.
 * @param made the part that returns `issue_id`, `author_id`, `label_ids` and the instant `at` of each
 */
export const chartingNewLabels = (made: string) =>
  sql<object>`(insert into resource_events (kind, action, issue_id, user_id, label_id, created_at)
    select 'label', 'add', issue_id, author_id, unnest(label_ids), at from ${sql.table(made)})`
