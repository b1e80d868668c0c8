/**
 * Imports the archive of a group in the background: unpacks it, and writes all rows in one transaction. After a crash it begins again; what fails leaves
 * the group empty, with the reason.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { actingAs } from '../../../platform/access/credentials/credentials.ts'
import { places } from '../../../platform/config.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { DatabaseUnavailable } from '../../../platform/db/errors.ts'
import { transact } from '../../../platform/db/transact.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import { LARGE_ARCHIVES_QUEUE } from '../../../platform/events/worker.ts'
import { type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { ObjectStoreUnavailable } from '../../../platform/object_store/store.ts'
import { groups } from '../../../spaces/groups/queries.ts'
import type { Failure } from '../../archives/importing/import.ts'
import { FAILED, reasonOf } from '../../archives/importing/reasons.ts'
import { ArchiveRefused } from '../../archives/reading/refused.ts'
import { type UnpackLimits, unpackArchive, unpackLimits } from '../../archives/reading/unpack.ts'
import { BeyondTurn, type MaybeLarge } from '../../archives/turns.ts'
import { queueGroupImport } from '../commands.ts'
import { type Owned, ownedBy } from '../owner.ts'
import { importOf } from '../queries.ts'
import { moveGroupImport } from '../states.ts'
import { importGroups } from './groups.ts'
import { removeWiki, wasWikiWritten } from './wikis.ts'

/** Imports the archive of a group; does nothing for one that is imported already, or gone. One that gives way is queued again. */
export async function importGroupArchive(
  deps: Deps,
  { group_id, large }: { readonly group_id: number } & MaybeLarge,
  limits: UnpackLimits = unpackLimits,
): Promise<void> {
  const { db } = deps.database
  if (!(await transact(db, tx => moveGroupImport(tx, group_id, 'start')))) return
  const folder = join(places(deps.config).transfers, `group-import-${group_id}`)
  const stored = await importOf(db, group_id)
  let givesWay = false
  try {
    await ownedStill(db, stored?.user_id, group_id)
    if (stored?.key == null) throw new ArchiveRefused('The archive is not there any more.')
    if (await wasWikiWritten(db, group_id)) throw new ArchiveRefused('The wiki of the group was written to before it was imported.', 'wiki')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    await unpackArchive(await deps.objects.read(stored.key), folder, large ? { ...limits, turn: undefined } : limits)
    // What a crash has left of an attempt before.
    await removeWiki(deps, group_id)
    const made: number[] = []
    try {
      await transact(db, async tx => {
        // The wikis are made within: git may take longer than the database waits for a statement.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
        // An archive may take long to unpack: the account has the rights of now.
        const { actor, group } = await ownedStill(tx, stored.user_id, group_id)
        const ctx = systemContext(deps, tx, actor)
        const failures: Failure[] = await importGroups(ctx, group, folder, made)
        await moveGroupImport(tx, group_id, 'finish', { now: deps.now(), failures })
        const payload = { id: group_id, name: group.full_path, missing: failures.length }
        await recordEvent(ctx, { kind: 'group.imported', payload, namespaceId: group_id })
      })
    } catch (error) {
      // Pages that people wrote while it was imported stay.
      for (const id of made) if (!(await wasWikiWritten(db, id))) await removeWiki(deps, id)
      throw error
    }
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof ObjectStoreUnavailable) throw error
    givesWay = error instanceof BeyondTurn
    if (!givesWay) {
      const { message, relation } = reasonOf(error)
      deps.log[message === FAILED ? 'error' : 'info']({ err: error, group: group_id }, 'an archive of a group could not be imported')
      await transact(db, tx => fail(deps, tx, group_id, { relation, source: 'archive', message }))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  // When the folder is free: the task begins in it as soon as it is queued.
  if (givesWay) await transact(db, tx => queueGroupImport(tx, { group_id, large: true }, LARGE_ARCHIVES_QUEUE, stored?.user_id))
}

/** The group, and the account that asked for its import. @throws ArchiveRefused where it does not own the group any more */
async function ownedStill(db: Db, userId: number | null | undefined, groupId: number): Promise<Owned> {
  const owned = await ownedBy(db, userId ?? null, groupId)
  if (owned) return owned
  throw new ArchiveRefused('The account that asked for the import does not own the group any more.')
}

/** Ends an import that has failed. Owners read why in the audit log of the group: the API of 14.0 has no state of an import. */
async function fail(deps: Deps, db: Db, groupId: number, failure: Failure): Promise<void> {
  const actor = await actingAs(db, (await importOf(db, groupId))?.user_id ?? null)
  const error = failure.message
  if (!(await moveGroupImport(db, groupId, 'fail', { now: deps.now(), error, failures: [failure] }))) return
  const { full_path: name } = await groups(db).where('namespaces.id', '=', groupId).executeTakeFirstOrThrow()
  const payload = { id: groupId, name, reason: error }
  await recordEvent(systemContext(deps, db, actor), { kind: 'group.import_failed', payload, namespaceId: groupId })
}
