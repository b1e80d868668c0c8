/** The states of a merge request, and of its merge check (document 3 "Merge request"). */
import { machine } from '../../platform/kernel/declaration/machine.ts'

/** `locked` lasts only while a merge is in progress. */
export const mergeRequestMachine = machine({
  states: ['opened', 'closed', 'locked', 'merged'],
  initial: 'opened',
  events: {
    close: { opened: 'closed' },
    reopen: { closed: 'opened' },
    lock: { opened: 'locked' },
    unlock: { locked: 'opened' },
    merge: { opened: 'merged', locked: 'merged' },
  },
})

/** Both branches may move at any time: the check is then repeated, and a previous conflict is remembered meanwhile. */
export const mergeCheckMachine = machine({
  states: ['unchecked', 'checking', 'can_be_merged', 'cannot_be_merged', 'cannot_be_merged_recheck'],
  initial: 'unchecked',
  events: {
    outdate: {
      checking: 'unchecked',
      can_be_merged: 'unchecked',
      cannot_be_merged: 'cannot_be_merged_recheck',
    },
    check: { unchecked: 'checking', cannot_be_merged_recheck: 'checking' },
    fit: {
      unchecked: 'can_be_merged',
      checking: 'can_be_merged',
      cannot_be_merged_recheck: 'can_be_merged',
      cannot_be_merged: 'can_be_merged',
    },
    clash: {
      unchecked: 'cannot_be_merged',
      checking: 'cannot_be_merged',
      cannot_be_merged_recheck: 'cannot_be_merged',
      can_be_merged: 'cannot_be_merged',
    },
  },
})
