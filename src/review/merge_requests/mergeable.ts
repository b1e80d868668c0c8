/**
 * Why a merge request cannot be merged yet, as one word (`detailed_merge_status`, which newer clients read in place of
 * `merge_status`): a list over facts, whose order is its meaning.
 */
import { firstMatch } from '../../platform/kernel/first_match.ts'
import type { MergeRequestRow } from './queries.ts'

/** What the word follows from. */
export interface MergeFacts {
  readonly state: MergeRequestRow['state']
  readonly merge_status: MergeRequestRow['merge_status']
  readonly draft: boolean
  /** Threads that must be resolved first; 0 where the project does not ask for that. */
  readonly unresolvedThreads: number
  readonly approvalsLeft: number
  /** The pipeline that must succeed first; undefined where none must. */
  readonly pipeline: 'missing' | 'running' | 'failed' | 'success' | undefined
  /** Known of one that is shown by itself: the project's merges need a branch that begins where the target is. */
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
