/** The tasks that Ingot queues: the work that follows an answer, in the background and after a crash too. */
import { Type } from 'typebox'
import { queueOf, type Tasks as TasksOf } from './queue.ts'

/** Name and payload of every task; a wrong payload does not compile. */
export const payloads = {
  /** Hands a recorded event to its listeners. */
  deliver_event: Type.Object({ event_id: Type.Integer() }),
}

/** What the tasks do, to be given to `startWorker`. */
export type Tasks = TasksOf<typeof payloads>

export const { enqueue, startWorker } = queueOf(payloads)
