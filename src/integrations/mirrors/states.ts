/** How the update of a mirror goes, in both directions: states, and the pauses after failures. */
import { machine } from '../../platform/kernel/declaration/machine.ts'

export const mirrorMachine = machine({
  states: ['none', 'started', 'finished', 'to_retry', 'failed'],
  initial: 'none',
  events: {
    // Started again: the process that ran it before has died.
    start: { none: 'started', started: 'started', finished: 'started', to_retry: 'started', failed: 'started' },
    finish: { started: 'finished' },
    retry: { started: 'to_retry' },
    fail: { started: 'failed' },
  },
})

export type MirrorStatus = (typeof mirrorMachine.states)[number]

/** Minutes until an update is tried again, after the first failure, the second, and so on. */
const pauses = [1, 5, 15, 30, 60, 120, 240]

/** Failures in a row after which a mirror shows that it has failed, and not that it is tried again. */
const PATIENCE = 3

/** What follows a failed update. */
export interface Verdict {
  readonly event: 'retry' | 'fail'
  /** Minutes until it is tried again; undefined if it is not, unless it is asked for. */
  readonly pause: number | undefined
}

/** The state after a number of failures in a row, and when it is tried again. Pure. */
export const verdictOn = (failures: number, mayPass: boolean): Verdict => ({
  event: mayPass && failures < PATIENCE ? 'retry' : 'fail',
  pause: mayPass ? pauses[failures - 1] : undefined,
})
