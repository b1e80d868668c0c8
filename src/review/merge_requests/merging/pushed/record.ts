/** Records, in the transaction of the push, that branches of open merge requests have moved. process.ts does the rest. */

import type { Db } from '../../../../platform/db/connection.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { compiled } from '../../../../platform/db/statements/compiled.ts'
import type { Job } from '../../../../platform/events/worker.ts'
import { type RefMove, shortNameOf } from '../../../../platform/git/index.ts'
import { mergeCheckMachine } from '../../states.ts'
import { movedBy } from '../mergeability/check.ts'

/** Upper bound of the branches of one push; a push of more is a mirror being filled, not work on merge requests. */
const MOST_BRANCHES = 1000

/** The open merge requests from and to these branches. */
const openAround = compiled((db, projectId: number, branches: readonly string[]) =>
  db
    .selectFrom(eb =>
      eb
        .selectFrom('merge_requests')
        .select('id')
        .where('source_project_id', '=', projectId)
        .where('source_branch', '=', anyOf(branches))
        .where('state', 'in', ['opened', 'locked'])
        .unionAll(
          eb
            .selectFrom('merge_requests')
            .select('id')
            .where('project_id', '=', projectId)
            .where('target_branch', '=', anyOf(branches))
            .where('state', 'in', ['opened', 'locked']),
        )
        .as('touched'),
    )
    .select('id'),
)

/**
 * Resets the merge check of the merge requests from and to these branches, and returns the job that processes the moves. One statement,
 * and a second one if there are such merge requests; `db` is the transaction that records the moves.
 */
export async function recordPush(db: Db, projectId: number, actorId: number | undefined, moves: readonly RefMove[]): Promise<Job[]> {
  const branches = moves.filter(({ ref }) => shortNameOf(ref)?.kind === 'branch').slice(0, MOST_BRANCHES)
  if (branches.length === 0) return []
  const names = branches.map(({ ref }) => shortNameOf(ref)!.name)
  const touched = await openAround(db, projectId, names)
  if (touched.length === 0) return []
  await db
    .updateTable('merge_requests')
    .set({ merge_status: movedBy('outdate') })
    .where('id', '=', anyOf(touched.map(({ id }) => id)))
    .where('state', '=', 'opened')
    .where('merge_status', 'in', Object.keys(mergeCheckMachine.events.outdate) as 'checking'[])
    .execute()
  return [
    {
      task: 'follow_push',
      payload: {
        project_id: projectId,
        actor_id: actorId ?? null,
        moves: branches.map(({ ref, old, new: target }) => ({ ref, old, new: target })),
      },
      // Processed in order of creation.
      options: { queueName: `pushes:${projectId}`, maxAttempts: 8 },
    },
  ]
}
