/** The states of an environment (document 2 "States and transitions"). */
import { machine } from '../../platform/kernel/machine.ts'

export const environmentMachine = machine({
  states: ['available', 'stopped'],
  initial: 'available',
  events: {
    stop: { available: 'stopped' },
    // Something is deployed to it again.
    start: { stopped: 'available' },
  },
})
