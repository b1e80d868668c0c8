/** The statuses of a deployment (deployments API at 14.0). */
import { machine } from '../../platform/kernel/declaration/machine.ts'

export const deploymentMachine = machine({
  states: ['created', 'running', 'success', 'failed', 'canceled', 'skipped'],
  initial: 'created',
  events: {
    run: { created: 'running', skipped: 'running' },
    // Contract: a finished deployment can be reported again with another end (deployments API).
    succeed: { created: 'success', running: 'success', failed: 'success', canceled: 'success', skipped: 'success' },
    fail: { created: 'failed', running: 'failed', success: 'failed', canceled: 'failed', skipped: 'failed' },
    cancel: { created: 'canceled', running: 'canceled', success: 'canceled', failed: 'canceled', skipped: 'canceled' },
    // With its job, which is scheduled again when a job that it waits for is retried.
    skip: { created: 'skipped' },
  },
})

export type DeploymentStatus = (typeof deploymentMachine.states)[number]
