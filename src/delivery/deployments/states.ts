/** The statuses of a deployment (deployments API at 14.0). */
import { machine } from '../../platform/kernel/machine.ts'

export const deploymentMachine = machine({
  states: ['created', 'running', 'success', 'failed', 'canceled', 'skipped'],
  initial: 'created',
  events: {
    run: { created: 'running', skipped: 'running' },
    // Contract: whatever it was reported as, a deployment can be reported to have ended otherwise (deployments API).
    succeed: { created: 'success', running: 'success', failed: 'success', canceled: 'success', skipped: 'success' },
    fail: { created: 'failed', running: 'failed', success: 'failed', canceled: 'failed', skipped: 'failed' },
    cancel: { created: 'canceled', running: 'canceled', success: 'canceled', failed: 'canceled', skipped: 'canceled' },
    // With its job, which has its turn again when what it waits for is run again.
    skip: { created: 'skipped' },
  },
})

export type DeploymentStatus = (typeof deploymentMachine.states)[number]
