/** States of migrations, and of the groups and projects in them. */
import { machine } from '../../platform/kernel/declaration/machine.ts'

export const migrationStates = ['created', 'started', 'finished', 'failed'] as const

export const migrationMachine = machine({
  states: migrationStates,
  initial: 'created',
  events: {
    // Started again: the process that was at it has ended.
    start: { created: 'started', started: 'started' },
    finish: { started: 'finished' },
    fail: { created: 'failed', started: 'failed' },
    resume: { failed: 'created', finished: 'created' },
  },
})

export type MigrationState = (typeof migrationMachine)['states'][number]
