/** Work of other wings when references of a project move: the port, and the dispatch of continuations to their handlers. */

import type { Db } from '../../platform/db/connection.ts'
import type { EventKind, NewEvent } from '../../platform/events/catalog.ts'
import type { Job } from '../../platform/events/worker.ts'
import type { RefMove } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/declaration/port.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'

/**
 * Work that follows a particular move, in addition to what follows every move. It is stored as JSON with the journal entry, in the column
 * `purpose`, so that it survives a crash. Each kind adds its own fields.
 */
export interface Continuation {
  /** The key of its handler in `RefUpdates`. */
  readonly kind: string
  /** Full name of the reference whose move it depends on. */
  readonly ref: string
}

/** What a continuation adds to the record of the outcome. */
export interface FollowUp<K extends EventKind = EventKind> {
  readonly events: readonly NewEvent<K>[]
  /** Writes further rows. */
  record(): Promise<unknown>
}

/** Nothing to add. */
export const noFollowUp: FollowUp<never> = { events: [], record: async () => {} }

/** Handles the continuations of one kind. `db` is the transaction that removes the move from its journal entry. */
export interface ContinuationHandler<C extends Continuation> {
  /** The move was made: updates what it was made for. */
  onApplied(db: Db, actorId: number | undefined, continuation: C, now: Date): Promise<FollowUp>
  /** The move will never be made. */
  onAborted(db: Db, continuation: C): Promise<void>
}

/** The option of moves after which no pipeline is made, not even a skipped one. Only the server gives it, not clients. */
export const withoutPipelines = 'ingot.without_pipelines'

export interface RefUpdates {
  /** Handlers by the kind of the continuation. */
  readonly continuations: Readonly<Record<string, ContinuationHandler<Continuation>>>
  /** References have moved. Runs in the transaction that records the moves, and returns the jobs to queue with it. */
  onMoved(db: Db, projectId: number, actorId: number | undefined, moves: readonly RefMove[]): Promise<readonly Job[]>
  /** A push was received and recorded. Applies its options, and returns the lines that the client prints. Not in a transaction. */
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
