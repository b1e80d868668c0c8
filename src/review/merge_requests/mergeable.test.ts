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

/** Everything that can stand in the way, the last first: each is seen as long as nothing before it is. */
const obstacles: readonly (readonly [Partial<MergeFacts>, DetailedMergeStatus])[] = [
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

test('the word for what keeps a merge request from being merged is that of the first obstacle', () => {
  let facts = free
  for (const [more, word] of obstacles) {
    facts = { ...facts, ...more }
    assert.equal(detailedMergeStatus(facts), word)
  }
  assert.deepEqual(new Set(obstacles.map(([, word]) => word)), new Set(detailedMergeStatuses))
})
