/** The states of a job (document 2 "States and transitions", with the transitional ones that the platform has). */
import { machine } from '../platform/kernel/declaration/machine.ts'

export const jobMachine = machine({
  states: [
    'created',
    'waiting_for_resource',
    'preparing',
    'pending',
    'running',
    'success',
    'failed',
    'canceled',
    'skipped',
    'manual',
    'scheduled',
  ],
  initial: 'created',
  events: {
    // The job can start.
    enqueue: {
      created: 'pending',
      waiting_for_resource: 'pending',
      preparing: 'pending',
      skipped: 'pending',
      manual: 'pending',
      scheduled: 'pending',
    },
    wait: {
      created: 'waiting_for_resource',
      skipped: 'waiting_for_resource',
      manual: 'waiting_for_resource',
      scheduled: 'waiting_for_resource',
    },
    schedule: { created: 'scheduled' },
    unschedule: { scheduled: 'manual' },
    actionize: { created: 'manual' },
    skip: { created: 'skipped', waiting_for_resource: 'skipped', pending: 'skipped' },
    // Scheduled again, after a job that it waited for was retried.
    process: { skipped: 'created', manual: 'created' },
    run: {
      pending: 'running',
      created: 'running',
      waiting_for_resource: 'running',
      preparing: 'running',
      manual: 'running',
      scheduled: 'running',
    },
    // A bridge whose pipeline runs again.
    resume: { failed: 'running', success: 'running' },
    succeed: { created: 'success', preparing: 'success', pending: 'success', running: 'success' },
    drop: {
      created: 'failed',
      waiting_for_resource: 'failed',
      preparing: 'failed',
      pending: 'failed',
      running: 'failed',
      manual: 'failed',
      scheduled: 'failed',
    },
    cancel: {
      created: 'canceled',
      waiting_for_resource: 'canceled',
      preparing: 'canceled',
      pending: 'canceled',
      running: 'canceled',
      manual: 'canceled',
      scheduled: 'canceled',
    },
  },
})

export type JobStatus = (typeof jobMachine.states)[number]
export type JobEvent = keyof typeof jobMachine.events

/** Statuses of finished jobs. */
export const completed: readonly JobStatus[] = ['success', 'failed', 'canceled', 'skipped']

/** Statuses of unfinished jobs that wait or run. */
export const alive: readonly JobStatus[] = ['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled']
