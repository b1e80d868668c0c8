/** The states of an environment (document 2 "States and transitions"). */
import { machine } from '../../platform/kernel/declaration/machine.ts'

export const environmentMachine = machine({
  states: ['available', 'stopped'],
  initial: 'available',
  events: {
    stop: { available: 'stopped' },
    // A new deployment to it.
    start: { stopped: 'available' },
  },
})
