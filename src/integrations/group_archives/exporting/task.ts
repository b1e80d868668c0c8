/** Makes the archive of a group in the background. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { places } from '../../../platform/config.ts'
import { transact } from '../../../platform/db/transact.ts'
import { LARGE_ARCHIVES_QUEUE } from '../../../platform/events/worker.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { recordObject } from '../../../platform/object_store/rows.ts'
import { BeyondTurn, turnOf } from '../../archives/turns.ts'
import { exportFilename } from '../../archives/writing/names.ts'
import { streamArchive } from '../../archives/writing/stream.ts'
import { endGroupExport, type GroupExportTask, queueGroupExport, startGroupExport } from '../commands.ts'
import { ownedBy } from '../owner.ts'
import { writeTree, writeWikis } from './write.ts'

/** Why an export failed, where the reason is not one of its user's. */
const FAILED = 'The group could not be exported.'

/**
 * Makes the archive that was asked for, as of one moment, if it is still the latest one that was asked for. After a crash it begins again; one that
 * fails leaves the archive of before as it is.
 * @param bytes those that it may come to before it gives way to others, and is queued again; any number where it is absent
 */
export async function exportGroup(deps: Deps, task: GroupExportTask, bytes?: number): Promise<void> {
  const { db } = deps.database
  const started = await transact(db, tx => startGroupExport(tx, task))
  if (!started) return
  // One for each queue: a request that comes while a large one is under way may run beside it.
  const folder = join(places(deps.config).transfers, `group-export-${task.large ? 'large-' : ''}${task.group_id}`)
  const turn = turnOf(task, bytes)
  let givesWay = false
  try {
    const owned = await ownedBy(db, started.user_id, task.group_id)
    if (!owned) {
      await transact(db, tx =>
        endGroupExport(tx, task, { error: 'The account that asked for the export may not export the group any more.' }),
      )
      return
    }
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const ids = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(tx => writeTree(tx, owned.group, owned.actor, folder, turn))
    await writeWikis(deps, ids, folder, turn)
    const stored = await deps.objects.put(streamArchive(deps, folder))
    const now = deps.now()
    await transact(db, async tx =>
      endGroupExport(tx, task, { object_id: await recordObject(tx, stored), filename: exportFilename(owned.group, now), now }),
    )
  } catch (error) {
    givesWay = error instanceof BeyondTurn
    if (!givesWay) {
      deps.log.error({ err: error, group: task.group_id }, 'an export of a group has failed')
      await transact(db, tx => endGroupExport(tx, task, { error: FAILED }))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  // When the folder is free: the task begins in it as soon as it is queued.
  if (givesWay) await transact(db, tx => queueGroupExport(tx, { ...task, large: true }, LARGE_ARCHIVES_QUEUE, started.user_id))
}
