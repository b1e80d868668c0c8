/**
 * The reason why a merge request cannot be merged yet (`detailed_merge_status`, which newer clients read in place of
 * `merge_status`), as a first-match list over facts: the order is the priority.
 */
import { firstMatch } from '../../../platform/kernel/answer/first_match.ts'
import type { MergeRequestRow } from '../queries.ts'

/** The facts that decide the status. */
export interface MergeFacts {
  readonly state: MergeRequestRow['state']
  readonly merge_status: MergeRequestRow['merge_status']
  readonly draft: boolean
  /** Unresolved threads; 0 where the project does not require threads to be resolved. */
  readonly unresolvedThreads: number
  readonly approvalsLeft: number
  /** The pipeline that must succeed first; undefined if none must. */
  readonly pipeline: 'missing' | 'running' | 'failed' | 'success' | undefined
  /** Only known for a single merge request: the project merges by fast-forward and the branches have diverged. */
  readonly needsRebase?: boolean | undefined
}

export const detailedMergeStatuses = [
  'not_open',
  'unchecked',
  'checking',
  'conflict',
  'draft_status',
  'discussions_not_resolved',
  'not_approved',
  'ci_still_running',
  'ci_must_pass',
  'need_rebase',
  'mergeable',
] as const
export type DetailedMergeStatus = (typeof detailedMergeStatuses)[number]

export const detailedMergeStatus = firstMatch<MergeFacts, DetailedMergeStatus>(
  ['not_open', ({ state }) => state !== 'opened'],
  ['unchecked', ({ merge_status }) => merge_status === 'unchecked'],
  ['checking', ({ merge_status }) => merge_status === 'checking' || merge_status === 'cannot_be_merged_recheck'],
  ['conflict', ({ merge_status }) => merge_status === 'cannot_be_merged'],
  ['draft_status', ({ draft }) => draft],
  ['discussions_not_resolved', ({ unresolvedThreads }) => unresolvedThreads > 0],
  ['not_approved', ({ approvalsLeft }) => approvalsLeft > 0],
  ['ci_still_running', ({ pipeline }) => pipeline === 'running'],
  ['ci_must_pass', ({ pipeline }) => pipeline === 'missing' || pipeline === 'failed'],
  ['need_rebase', ({ needsRebase }) => needsRebase === true],
  ['mergeable', () => true],
)
