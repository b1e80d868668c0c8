/** The states of an issue. */
import { machine } from '../../platform/kernel/declaration/machine.ts'

export const issueMachine = machine({
  states: ['opened', 'closed'],
  initial: 'opened',
  events: {
    close: { opened: 'closed' },
    reopen: { closed: 'opened' },
  },
})

export const issueTypes = ['issue', 'incident', 'test_case'] as const
export const healthStatuses = ['on_track', 'needs_attention', 'at_risk'] as const
