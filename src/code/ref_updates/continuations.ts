/** What other wings do when references of a project move: the port, and the dispatch of continuations to those who serve them. */
import type { Db } from '../../platform/db/connection.ts'
import type { EventKind, NewEvent } from '../../platform/events/events.ts'
import type { Job } from '../../platform/events/worker.ts'
import type { RefMove } from '../../platform/git/refs/update.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/port.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'

/**
 * What is to follow a move, where that is more than what follows every move. It is kept with the intent, as JSON in the column `purpose`: a crash
 * loses nothing of it. A kind adds fields of its own.
 */
export interface Continuation {
  /** The key of its handler in `RefUpdates`. */
  readonly kind: string
  /** The reference whose move it depends on, in full. */
  readonly ref: string
}

/** What a continuation leaves to be recorded with the outcome of the move. */
export interface FollowUp<K extends EventKind = EventKind> {
  readonly events: readonly NewEvent<K>[]
  /** Writes the rest. */
  record(): Promise<unknown>
}

/** Nothing is left to be recorded. */
export const noFollowUp: FollowUp<never> = { events: [], record: async () => {} }

/** Serves the continuations of one kind. `db` is the transaction that takes the move off its intent. */
export interface ContinuationHandler<C extends Continuation> {
  /** The move was made: brings what it was made for to its new state. */
  onApplied(db: Db, actorId: number | undefined, continuation: C, now: Date): Promise<FollowUp>
  /** The move will never be made. */
  onAborted(db: Db, continuation: C): Promise<void>
}

export interface RefUpdates {
  /** By the kind of the continuation. */
  readonly continuations: Readonly<Record<string, ContinuationHandler<Continuation>>>
  /** References have moved. Runs in the transaction that records the moves, and answers the tasks to queue with them. */
  onMoved(db: Db, projectId: number, actorId: number | undefined, moves: readonly RefMove[]): Promise<readonly Job[]>
  /** A push was received and recorded. Does what its options ask for, and answers the lines that the client is shown. Not in a transaction. */
  onPushed(ctx: Context, project: ProjectWithRole, moves: readonly RefMove[], options: readonly string[]): Promise<readonly string[]>
}

export const refUpdates = new Port<RefUpdates>('refUpdates')

/** The handler of a continuation. */
export function handlerOf({ kind }: Continuation): ContinuationHandler<Continuation> {
  const handler = refUpdates.value.continuations[kind]
  if (!handler) throw new Error(`no continuation of a move of references is called ${kind}: see src/server/ports.ts`)
  return handler
}

/** Does a continuation depend on this move? */
export const dependsOn = (continuation: Continuation, { ref }: RefMove): boolean => continuation.ref === ref
