/** The states of an epic. */
import { machine } from '../../platform/kernel/declaration/machine.ts'

export const epicMachine = machine({
  states: ['opened', 'closed'],
  initial: 'opened',
  events: {
    close: { opened: 'closed' },
    reopen: { closed: 'opened' },
  },
})
