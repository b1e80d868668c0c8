/** The counts that things carry of what is said about them and of the thumbs that they are given. */

import { countEpicAward, countEpicNotes } from '../../planning/epics/counts.ts'
import { countAward as countIssueAward, countNotes as countIssueNotes } from '../../planning/issues/counts.ts'
import type { Db } from '../../platform/db/connection.ts'
import { countMergeRequestAward, countMergeRequestNotes } from '../../review/merge_requests/counts.ts'
import type { ThingKey } from '../item_kinds/kinds.ts'

/** Counts notes that people have written, or that are gone. */
export function countNotes(db: Db, key: ThingKey, change: number, now: Date): Promise<void> {
  if ('issue_id' in key) return countIssueNotes(db, key.issue_id, change, now)
  return 'epic_id' in key ? countEpicNotes(db, key.epic_id, change, now) : countMergeRequestNotes(db, key.merge_request_id, change, now)
}

/** Counts a reaction to a thing, or one that is gone. */
export function countAward(db: Db, key: ThingKey, name: string, change: number): Promise<void> {
  if ('issue_id' in key) return countIssueAward(db, key.issue_id, name, change)
  return 'epic_id' in key ? countEpicAward(db, key.epic_id, name, change) : countMergeRequestAward(db, key.merge_request_id, name, change)
}
