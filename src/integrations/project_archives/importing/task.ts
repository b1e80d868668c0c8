/**
 * Imports an archive in the background: unpacks it, stores its files, fills the repositories, and then writes all rows in one transaction. After a crash
 * it begins again; what fails leaves the project empty, with the reason.
 */

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { allows } from '../../../platform/access/abilities.ts'
import type { UserActor } from '../../../platform/access/actor.ts'
import { actingAs } from '../../../platform/access/credentials/credentials.ts'
import { places } from '../../../platform/config.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { DatabaseUnavailable } from '../../../platform/db/errors.ts'
import { transact } from '../../../platform/db/transact.ts'
import { LARGE_ARCHIVES_QUEUE } from '../../../platform/events/worker.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { ObjectMismatch } from '../../../platform/object_store/measured.ts'
import { recordObject } from '../../../platform/object_store/rows.ts'
import { ObjectStoreUnavailable } from '../../../platform/object_store/store.ts'
import { destinationOf } from '../../../platform/outbound/addresses.ts'
import { RemoteBusy } from '../../../platform/outbound/remote_api.ts'
import { fetchFile } from '../../../platform/outbound/transfer.ts'
import { moveImport } from '../../../spaces/projects/imports/states.ts'
import { type ProjectRow, projects, visibleProject } from '../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import { withRoomForFile } from '../../../spaces/storage_limits/limits.ts'
import type { People } from '../../archives/importing/people.ts'
import { FAILED, reasonOf } from '../../archives/importing/reasons.ts'
import { mostArchive } from '../../archives/reading/form.ts'
import { ArchiveRefused } from '../../archives/reading/refused.ts'
import { type UnpackLimits, unpackArchive, unpackLimits } from '../../archives/reading/unpack.ts'
import { BeyondTurn, type MaybeLarge } from '../../archives/turns.ts'
import { REMOTE_PURPOSE } from '../queries.ts'
import { forgetArchive, importOf, keepArchive, queueImport, recordFailures } from './commands.ts'
import { bytesOfFiles, storeFiles } from './files.ts'
import { fillRepositories, removeRepositories, writtenBefore } from './fill.ts'
import { importRows } from './rows.ts'

type Stored = NonNullable<Awaited<ReturnType<typeof importOf>>>

/** What an import is made from. */
export interface Making {
  readonly project: ProjectRow
  /** Who asked for it, who administers the project still. */
  readonly actor: UserActor
  readonly stored: Stored
  /** An empty folder that gets the files of an archive. */
  readonly folder: string
}

/** What is not in the folder: repositories from elsewhere, and who the people are. */
export interface Made {
  readonly fill?: () => ReturnType<typeof fillRepositories>
  readonly people?: (ctx: Context) => Promise<People>
}

/** Imports the archive of a project; does nothing for one that is imported already, or gone. One that gives way is queued again. */
export const importArchive = (
  deps: Deps,
  { project_id, large }: { readonly project_id: number } & MaybeLarge,
  limits: UnpackLimits = unpackLimits,
): Promise<void> =>
  runImport(deps, project_id, async ({ folder, stored }) => {
    const allowed = large ? { ...limits, turn: undefined } : limits
    await unpackArchive(await deps.objects.read(await keyOf(deps, project_id, stored)), folder, allowed)
    return {}
  })

/**
 * Imports what `make` puts into a folder in the form of an archive. What fails leaves the project empty, with the reason.
 * @throws RemoteBusy where `make` does: the import is begun again later
 */
export async function runImport(deps: Deps, project_id: number, make: (making: Making) => Promise<Made>): Promise<void> {
  const { db } = deps.database
  const project = await projects(db).where('projects.id', '=', project_id).executeTakeFirst()
  if (!project || !(await transact(db, tx => moveImport(tx, project_id, 'start')))) return
  const stored = await importOf(db, project_id)
  const actor = await actingAs(db, stored?.user_id ?? null)
  const folder = join(places(deps.config).transfers, `import-${project_id}`)
  let givesWay = false
  try {
    if (!stored || !actor) throw new ArchiveRefused(INACTIVE)
    await assertAdministers(db, actor, project_id)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const making = { project, actor, stored, folder }
    await importFolder(deps, making, await make(making))
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof ObjectStoreUnavailable || error instanceof RemoteBusy) throw error
    givesWay = error instanceof BeyondTurn
    if (!givesWay) await fail(deps, project, reasonOf(error), error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  // When the folder is free: the task begins in it as soon as it is queued.
  if (givesWay) await transact(db, tx => queueImport(tx, { project_id, large: true }, LARGE_ARCHIVES_QUEUE, stored?.user_id))
}

const INACTIVE = 'The account that asked for the import is not active.'

/** The role may have been lost since the import was asked for, as with the membership of a group. @throws ArchiveRefused */
async function assertAdministers(db: Db, actor: UserActor, projectId: number): Promise<void> {
  const project = await visibleProject(db, actor, String(projectId))
  if (project && allows(actor, 'admin_project', projectSubject(project)) === 'yes') return
  throw new ArchiveRefused('The account that asked for the import may not administer the project any more.')
}

async function importFolder(deps: Deps, { project, actor, stored, folder }: Making, { fill, people }: Made): Promise<void> {
  const written = await writtenBefore(deps, project)
  if (written.repository) throw new ArchiveRefused('The project was pushed to before it was imported.', 'repository')
  if (written.wiki) throw new ArchiveRefused('The wiki of the project was written to before it was imported.', 'wiki')
  // What a crash has left of an attempt before.
  await removeRepositories(deps, project, written)
  // Asked for before anything of the archive is stored.
  const bytes = await bytesOfFiles(folder)
  await withRoomForFile(deps, project, { bytes }, async counted => {
    const files = await storeFiles(deps, folder)
    const { repository, head } = fill ? await fill() : await fillRepositories(deps, project, folder)
    await transact(deps.database.db, async db => {
      // Files and repositories may take hours to come: the account has the rights of now.
      const writer = await actingAs(db, actor.user.id)
      if (!writer) throw new ArchiveRefused(INACTIVE)
      await assertAdministers(db, writer, project.id)
      const ctx = systemContext(deps, db, writer)
      await importRows(ctx, { project, folder, repository, head, files, stored, people: await people?.(ctx) })
      await forgetArchive(db, project.id)
      await moveImport(db, project.id, 'finish')
      await counted(db)
    })
  })
}

/** Where the archive is; one that is elsewhere is fetched first. */
async function keyOf(deps: Deps, projectId: number, { key, address }: Stored): Promise<string> {
  if (key !== null) return key
  if (address === null) throw new ArchiveRefused('The archive is not there any more.')
  const url = new URL(deps.secrets.decrypt(address, REMOTE_PURPOSE).reveal())
  const destination = await destinationOf(url, deps.config.outboundAllow)
  const limit = await mostArchive(deps.database.db)
  const fetched = await fetchFile(url, destination, bytes => deps.objects.put(bytes, { limit })).catch(error => {
    throw error instanceof ObjectMismatch ? new ArchiveRefused(`The archive is larger than ${limit} bytes.`) : error
  })
  await transact(deps.database.db, async db => keepArchive(db, projectId, await recordObject(db, fetched)))
  return fetched.key
}

async function fail(
  deps: Deps,
  project: ProjectRow,
  { message, relation }: { message: string; relation: string },
  error: unknown,
): Promise<void> {
  deps.log[message === FAILED ? 'error' : 'info']({ err: error, project: project.id }, 'an archive could not be imported')
  await removeRepositories(deps, project, await writtenBefore(deps, project))
  await transact(deps.database.db, async db => {
    await forgetArchive(db, project.id)
    if (!(await moveImport(db, project.id, 'fail', message))) return
    await recordFailures(db, project.id, [{ relation, source: 'archive', message }], deps.now())
  })
}
