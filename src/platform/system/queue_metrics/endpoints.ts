/** The queue of background jobs in the form of the platform's queue (Sidekiq metrics API at 14.0): clients wait until it is idle. */
import { hostname } from 'node:os'
import Type from 'typebox'
import { queueState, type TaskState } from '../../events/queue_state.ts'
import { performed } from '../../events/runs/run.ts'
import { plain } from '../../kernel/answer/entity.ts'
import type { Context } from '../../kernel/context.ts'
import { endpoint, one } from '../../kernel/declaration/endpoint.ts'
import { inInstance } from '../../kernel/declaration/scope.ts'
import { DateTime, described, integer, text } from '../../kernel/declaration/types.ts'

/** All tasks are in one queue. */
const QUEUE = 'default'

const queues = described(
  'The queues by their names; there is one',
  Type.Record(
    Type.String(),
    Type.Object({
      backlog: integer('Jobs whose time has come and that no process has taken'),
      latency: integer('How long the first of them has waited, in seconds'),
    }),
  ),
)

const processes = described(
  'The processes that take jobs: this one',
  Type.Array(
    Type.Object({
      hostname: text('Name of the machine'),
      pid: integer('ID of the process'),
      tag: text('Name of the program'),
      started_at: DateTime('When the process began'),
      queues: described('The queues that it takes jobs from', Type.Array(Type.String())),
      labels: described('Always empty', Type.Array(Type.String())),
      concurrency: integer('Jobs that it runs concurrently at most'),
      busy: integer('Jobs that run now'),
    }),
  ),
)

const jobs = described(
  'Numbers of jobs',
  Type.Object({
    processed: integer('Attempts that this process has ended since it began'),
    failed: integer('Attempts that failed among them'),
    enqueued: integer('Jobs whose time has come and that no process has taken'),
    dead: integer('Jobs that failed too often and are not tried again'),
  }),
)

const sumOf = (tasks: readonly TaskState[], key: 'waiting' | 'running' | 'given_up'): number =>
  tasks.reduce((sum, task) => sum + task[key], 0)

function queuesOf(tasks: readonly TaskState[], now: Date) {
  const since = tasks.flatMap(({ waiting_since }) => (waiting_since === null ? [] : [Date.parse(waiting_since)]))
  const latency = since.length === 0 ? 0 : Math.max(0, Math.floor((now.getTime() - Math.min(...since)) / 1_000))
  return { [QUEUE]: { backlog: sumOf(tasks, 'waiting'), latency } }
}

const processesOf = (tasks: readonly TaskState[], { deps, now }: Context) => [
  {
    hostname: hostname(),
    pid: process.pid,
    tag: 'ingot',
    started_at: new Date(now.getTime() - process.uptime() * 1_000).toISOString(),
    queues: [QUEUE],
    labels: [],
    concurrency: deps.config.workers,
    busy: sumOf(tasks, 'running'),
  },
]

const jobsOf = (tasks: readonly TaskState[]) => ({
  ...performed,
  enqueued: sumOf(tasks, 'waiting'),
  dead: sumOf(tasks, 'given_up'),
})

export const getQueueMetrics = endpoint({
  route: 'GET /sidekiq/queue_metrics',
  summary: 'Get how much waits in the queue of background jobs',
  scope: inInstance,
  can: 'admin_instance',
  answers: one(plain('QueueMetrics', Type.Object({ queues }))),
  run: async ({ db, now }) => ({ queues: queuesOf(await queueState(db), now) }),
})

export const getProcessMetrics = endpoint({
  route: 'GET /sidekiq/process_metrics',
  summary: 'Get which process takes background jobs',
  scope: inInstance,
  can: 'admin_instance',
  answers: one(plain('ProcessMetrics', Type.Object({ processes }))),
  run: async ctx => ({ processes: processesOf(await queueState(ctx.db), ctx) }),
})

export const getJobStats = endpoint({
  route: 'GET /sidekiq/job_stats',
  summary: 'Get how many background jobs ended, wait and were given up',
  scope: inInstance,
  can: 'admin_instance',
  answers: one(plain('JobStats', Type.Object({ jobs }))),
  run: async ({ db }) => ({ jobs: jobsOf(await queueState(db)) }),
})

export const getCompoundMetrics = endpoint({
  route: 'GET /sidekiq/compound_metrics',
  summary: 'Get all of this about the queue of background jobs',
  scope: inInstance,
  can: 'admin_instance',
  answers: one(plain('CompoundQueueMetrics', Type.Object({ queues, processes, jobs }))),
  async run(ctx) {
    const tasks = await queueState(ctx.db)
    return { queues: queuesOf(tasks, ctx.now), processes: processesOf(tasks, ctx), jobs: jobsOf(tasks) }
  },
})
