/** Makes the archive of a project in the background, and sends it where it was asked for. */

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { allows } from '../../../platform/access/abilities.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { actingAs } from '../../../platform/access/credentials/credentials.ts'
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import { places } from '../../../platform/config.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { transact } from '../../../platform/db/transact.ts'
import { LARGE_ARCHIVES_QUEUE } from '../../../platform/events/worker.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { recordObject } from '../../../platform/object_store/rows.ts'
import { destinationOf, OutboundRefused } from '../../../platform/outbound/addresses.ts'
import { OutboundFailed } from '../../../platform/outbound/exchange.ts'
import { sendFile } from '../../../platform/outbound/transfer.ts'
import { type ProjectRow, visibleProject } from '../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import { BeyondTurn, turnOf } from '../../archives/turns.ts'
import { exportFilename } from '../../archives/writing/names.ts'
import { streamArchive } from '../../archives/writing/stream.ts'
import { type ExportTask, endExport, queueExport, startExport } from '../commands.ts'
import { UPLOAD_PURPOSE } from '../queries.ts'
import { filesOf, writeRepositories, writeTree } from './write.ts'

/** Why an export failed, where the reason is not one of its user's. */
const FAILED = 'The project could not be exported.'

/**
 * Makes the archive that was asked for, as of one moment, if it is still the latest one that was asked for. After a crash it begins again; one that
 * fails leaves the archive of before as it is.
 * @param bytes those that it may come to before it gives way to others, and is queued again; any number where it is absent
 */
export async function exportProject(deps: Deps, task: ExportTask, bytes?: number): Promise<void> {
  const { db } = deps.database
  const started = await transact(db, tx => startExport(tx, task))
  if (!started) return
  // One for each queue that it may be in: a request that comes while one is under way may run beside it.
  const lane = task.large ? 'large-' : started.upload_address === null ? '' : 'sent-'
  const folder = join(places(deps.config).transfers, `export-${lane}${task.project_id}`)
  const turn = turnOf(task, bytes)
  let givesWay = false
  try {
    const exporter = await exporterOf(db, started.user_id, task)
    if (!exporter) return
    const { actor, project } = exporter
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    // One moment of all relations; what lasts, as reading git and writing bundles, comes when the transaction has ended.
    const { files, oids, remaining } = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async tx => {
        const remaining = await writeTree({ db: tx, project, description: started.description, actor, folder, turn })
        return { remaining, ...(await filesOf(tx, project.id)) }
      })
    for (const { size } of files) turn.take(size)
    await writeRepositories(deps, project, folder, remaining, turn)
    const stored = await deps.objects.put(streamArchive(deps, folder, files, oids))
    // A large one takes long: what was taken away meanwhile counts. No row names its bytes, so they are swept.
    if (!(await exporterOf(db, started.user_id, task))) return
    const { upload_address } = started
    const now = deps.now()
    // One that is sent away is never to be downloaded here, and is finished when it has arrived. No row names its bytes, so they are swept.
    const sent = upload_address === null ? undefined : await upload(deps, task, { ...started, upload_address }, stored)
    await transact(db, async tx =>
      endExport(
        tx,
        task,
        sent === undefined ? { object_id: await recordObject(tx, stored), filename: exportFilename(project, now), now } : { sent, now },
      ),
    )
  } catch (error) {
    givesWay = error instanceof BeyondTurn
    if (!givesWay) {
      deps.log.error({ err: error, project: task.project_id }, 'an export has failed')
      await transact(db, tx => endExport(tx, task, { error: FAILED }))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  // When the folder is free: the task begins in it as soon as it is queued.
  if (givesWay) await transact(db, tx => queueExport(tx, { ...task, large: true }, LARGE_ARCHIVES_QUEUE, started.user_id))
}

/** The user who asked for the export, and the project, as long as they may export it; else the export has ended. */
async function exporterOf(
  db: Db,
  userId: number | null,
  task: ExportTask,
): Promise<{ readonly actor: Actor; readonly project: ProjectRow } | undefined> {
  const end = async (error: string): Promise<undefined> => transact(db, async tx => void (await endExport(tx, task, { error })))
  if (!(await applicationSettings(db)).project_export_enabled) return end('Exports of projects are switched off.')
  const actor = await actingAs(db, userId)
  const project = actor && (await visibleProject(db, actor, String(task.project_id)))
  if (actor && project && allows(actor, 'admin_project', projectSubject(project)) === 'yes') return { actor, project }
  return end('The account that asked for the export may not export the project any more.')
}

/** Sends the archive. Answers why it could not be sent; null where it was. */
async function upload(
  deps: Deps,
  task: ExportTask,
  { upload_address, upload_method }: { readonly upload_address: string; readonly upload_method: 'PUT' | 'POST' | null },
  { key, size }: { readonly key: string; readonly size: number },
): Promise<string | null> {
  const url = new URL(deps.secrets.decrypt(upload_address, UPLOAD_PURPOSE).reveal())
  try {
    const destination = await destinationOf(url, deps.config.outboundAllow)
    await sendFile(url, destination, {
      method: upload_method ?? 'PUT',
      mediaType: 'application/gzip',
      size,
      bytes: await deps.objects.read(key),
    })
    return null
  } catch (error) {
    if (!(error instanceof OutboundFailed || error instanceof OutboundRefused)) throw error
    deps.log.info({ err: error, project: task.project_id, host: url.host }, 'an archive could not be sent')
    return `The archive could not be sent: ${error.message}`
  }
}
