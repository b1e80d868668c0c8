import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DetailedMergeStatus, detailedMergeStatus, detailedMergeStatuses, type MergeFacts } from './mergeable.ts'

const free: MergeFacts = {
  state: 'opened',
  merge_status: 'can_be_merged',
  draft: false,
  unresolvedThreads: 0,
  approvalsLeft: 0,
  pipeline: undefined,
}

/** Every fact that blocks a merge, lowest priority first: each is reported as long as none after it applies. */
const blockers: readonly (readonly [Partial<MergeFacts>, DetailedMergeStatus])[] = [
  [{}, 'mergeable'],
  [{ pipeline: 'success' }, 'mergeable'],
  [{ needsRebase: true }, 'need_rebase'],
  [{ pipeline: 'missing' }, 'ci_must_pass'],
  [{ pipeline: 'failed' }, 'ci_must_pass'],
  [{ pipeline: 'running' }, 'ci_still_running'],
  [{ approvalsLeft: 2 }, 'not_approved'],
  [{ unresolvedThreads: 1 }, 'discussions_not_resolved'],
  [{ draft: true }, 'draft_status'],
  [{ merge_status: 'cannot_be_merged' }, 'conflict'],
  [{ merge_status: 'cannot_be_merged_recheck' }, 'checking'],
  [{ merge_status: 'checking' }, 'checking'],
  [{ merge_status: 'unchecked' }, 'unchecked'],
  [{ state: 'closed' }, 'not_open'],
  [{ state: 'merged' }, 'not_open'],
]

test('the detailed merge status names the first reason that blocks the merge', () => {
  let facts = free
  for (const [more, word] of blockers) {
    facts = { ...facts, ...more }
    assert.equal(detailedMergeStatus(facts), word)
  }
  assert.deepEqual(new Set(blockers.map(([, word]) => word)), new Set(detailedMergeStatuses))
})
