/** The states of a milestone. */
import { machine } from '../../platform/kernel/declaration/machine.ts'

export const milestoneMachine = machine({
  states: ['active', 'closed'],
  initial: 'active',
  events: {
    close: { active: 'closed' },
    activate: { closed: 'active' },
  },
})
