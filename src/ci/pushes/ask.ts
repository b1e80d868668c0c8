/** That branches and tags have moved: each of them is to have a pipeline. */
import { randomUUID } from 'node:crypto'
import type { Job } from '../../events/worker.ts'
import { zeroId } from '../../git/objects/oid.ts'
import { shortNameOf } from '../../git/refs/names.ts'
import type { RefMove } from '../../git/refs/update.ts'

/** References of one push that get a pipeline: with more of them it is not work but the making of a mirror (public documentation, CI limits). */
const MOST_PIPELINES = 4

/** That the pipelines of a push are made, each by itself, so that none is made twice; to be queued in the transaction that records the moves. */
export function pipelinesOfPush(
  project_id: number,
  actor_id: number | undefined,
  moves: readonly RefMove[],
  options: readonly string[],
): Job[] {
  if (actor_id === undefined) return []
  const pushed = moves.filter(move => move.new !== zeroId && shortNameOf(move.ref) !== undefined)
  return pushed.slice(0, MOST_PIPELINES).map(({ ref, old, new: target }) => ({
    task: 'start_pipeline',
    payload: { project_id, actor_id, move: { ref, old, new: target }, options: [...options], request_key: randomUUID() },
    options: { maxAttempts: 5 },
  }))
}
