/** Branches and tags that are gone: their latest pipelines keep their artifacts no longer than those say (`keep_latest_artifact`). */
import { anyOf } from '../../db/any.ts'
import type { Db } from '../../db/connection.ts'
import { zeroId } from '../../git/objects/oid.ts'
import { shortNameOf } from '../../git/refs/names.ts'
import type { RefMove } from '../../git/refs/update.ts'

/** Lets the artifacts of removed references expire; nothing where none was removed. `db` is the transaction that records the moves. */
export async function unlockArtifacts(db: Db, projectId: number, moves: readonly RefMove[]): Promise<void> {
  const removed = moves.flatMap(({ ref, new: target }) => (target === zeroId ? (shortNameOf(ref) ?? []) : []))
  for (const [kind, names] of Map.groupBy(removed, ({ kind }) => kind))
    await db
      .updateTable('pipelines')
      .set({ locked: false })
      .where('project_id', '=', projectId)
      .where('tag', '=', kind === 'tag')
      .where('ref', '=', anyOf(names.map(({ name }) => name)))
      .where('locked', '=', true)
      .execute()
}
