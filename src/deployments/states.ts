/** The statuses of a deployment (deployments API at 14.0). */
import { machine } from '../kernel/machine.ts'

export const deploymentMachine = machine({
  states: ['created', 'running', 'success', 'failed', 'canceled'],
  initial: 'created',
  events: {
    run: { created: 'running' },
    // Contract: whatever it was reported as, a deployment can be reported to have ended otherwise (deployments API).
    succeed: { created: 'success', running: 'success', failed: 'success', canceled: 'success' },
    fail: { created: 'failed', running: 'failed', success: 'failed', canceled: 'failed' },
    cancel: { created: 'canceled', running: 'canceled', success: 'canceled', failed: 'canceled' },
  },
})

export type DeploymentStatus = (typeof deploymentMachine.states)[number]
