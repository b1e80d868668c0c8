/** Why references move, where more follows from it than from any other move. Kept with the intent: a crash forgets nothing of it. */
import type { Db } from '../../platform/db/connection.ts'
import type { EventKind, NewEvent } from '../../platform/events/events.ts'
import type { RefMove } from '../../platform/git/refs/update.ts'
import { endRebase, type RebasePurpose } from '../../review/merge_requests/merging/rebased.ts'
import { dropMerge, type MergePurpose, settleMerge } from '../../review/merge_requests/merging/settled.ts'

/** Each says by `ref` which of the moves it depends on. */
export type Purpose = MergePurpose | RebasePurpose

/** What follows from a purpose whose move was made. */
export interface Fulfilled {
  readonly events: readonly NewEvent<EventKind>[]
  /** Writes what else is kept of it. */
  record(): Promise<unknown>
}

/** A purpose whose move was made: what it was about is brought to its new state, in the transaction that takes the move off its intent. */
export async function fulfil(db: Db, actorId: number | undefined, purpose: Purpose, now: Date): Promise<Fulfilled> {
  if (purpose.kind === 'merge') return settleMerge(db, actorId, purpose, now)
  await endRebase(db, purpose.merge_request_id, null)
  return nothingElse
}

/** That nothing follows besides. */
export const nothingElse: Fulfilled = { events: [], record: async () => {} }

/** A purpose whose move will never be made. Whoever rebases says themselves what has become of it. */
export const abandon = async (db: Db, purpose: Purpose): Promise<void> => {
  if (purpose.kind === 'merge') await dropMerge(db, purpose)
}

/** Does a purpose depend on this move? */
export const dependsOn = (purpose: Purpose, { ref }: RefMove): boolean => purpose.ref === ref
