/** That branches and tags have moved: each of them is to have a pipeline. */
import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/connection.ts'
import { enqueue } from '../../events/worker.ts'
import { zeroId } from '../../git/objects/oid.ts'
import { shortNameOf } from '../../git/refs/names.ts'
import type { RefMove } from '../../git/refs/update.ts'

/** References of one push that get a pipeline: with more of them it is not work but the making of a mirror (public documentation, CI limits). */
const MOST_PIPELINES = 4

/** Has the pipelines of a push made, each by itself, so that none is made twice. `db` is the transaction that records the moves. */
export async function askForPipelines(
  db: Db,
  project_id: number,
  actor_id: number | undefined,
  moves: readonly RefMove[],
  options: readonly string[],
): Promise<void> {
  if (actor_id === undefined) return
  const pushed = moves.filter(move => move.new !== zeroId && shortNameOf(move.ref) !== undefined)
  for (const { ref, old, new: target } of pushed.slice(0, MOST_PIPELINES))
    await enqueue(
      db,
      'start_pipeline',
      { project_id, actor_id, move: { ref, old, new: target }, options: [...options], request_key: randomUUID() },
      { maxAttempts: 5 },
    )
}
