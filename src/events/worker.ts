/** The tasks that Ingot queues: the work that follows an answer, in the background and after a crash too. */
import { Type } from 'typebox'
import { queueOf, type Scheduled, type Tasks as TasksOf } from './queue.ts'

/** Name and payload of every task; a wrong payload does not compile. */
export const payloads = {
  /** Hands a recorded event to its listeners. */
  deliver_event: Type.Object({ event_id: Type.Integer() }),
  /** Finishes or drops what a crash left between intended and recorded moves of references. */
  reconcile_references: Type.Object({}),
  /** Packs a repository where many pushes have left many pieces. */
  tidy_repository: Type.Object({ project_id: Type.Integer() }),
  /** Deletes repositories that belong to no project. */
  sweep_repositories: Type.Object({}),
}

/** Tasks that run by the clock (UTC), on one of the workers. */
export const schedule: readonly Scheduled<typeof payloads>[] = [
  { task: 'reconcile_references', at: '* * * * *' },
  { task: 'sweep_repositories', at: '17 4 * * *' },
]

/** What the tasks do, to be given to `startWorker`. */
export type Tasks = TasksOf<typeof payloads>

export const { enqueue, startWorker } = queueOf(payloads)
