/**
 * Imports the archive of a group in the background: unpacks it, and writes all rows in one transaction. After a crash it begins again; what fails leaves
 * the group empty, with the reason.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { places } from '../../../platform/config.ts'
import { DatabaseUnavailable } from '../../../platform/db/errors.ts'
import { transact } from '../../../platform/db/transact.ts'
import { type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { ObjectStoreUnavailable } from '../../../platform/object_store/store.ts'
import type { Failure } from '../../archives/importing/import.ts'
import { FAILED, reasonOf } from '../../archives/importing/reasons.ts'
import { ArchiveRefused } from '../../archives/reading/refused.ts'
import { type UnpackLimits, unpackArchive, unpackLimits } from '../../archives/reading/unpack.ts'
import { ownedBy } from '../owner.ts'
import { importOf } from '../queries.ts'
import { moveGroupImport } from '../states.ts'
import { importGroups } from './groups.ts'
import { removeWiki, wasWikiWritten } from './wikis.ts'

/** Imports the archive of a group; does nothing for one that is imported already, or gone. */
export async function importGroupArchive(
  deps: Deps,
  { group_id }: { readonly group_id: number },
  limits: UnpackLimits = unpackLimits,
): Promise<void> {
  const { db } = deps.database
  if (!(await transact(db, tx => moveGroupImport(tx, group_id, 'start')))) return
  const folder = join(places(deps.config).transfers, `group-import-${group_id}`)
  try {
    const stored = await importOf(db, group_id)
    const owned = await ownedBy(db, stored?.user_id ?? null, group_id)
    if (!owned) throw new ArchiveRefused('The account that asked for the import does not own the group any more.')
    if (stored?.key == null) throw new ArchiveRefused('The archive is not there any more.')
    if (await wasWikiWritten(db, group_id)) throw new ArchiveRefused('The wiki of the group was written to before it was imported.', 'wiki')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    await unpackArchive(await deps.objects.read(stored.key), folder, limits)
    // What a crash has left of an attempt before.
    await removeWiki(deps, group_id)
    const made: number[] = []
    try {
      await transact(db, async tx => {
        // The wikis are made within: git may take longer than the database waits for a statement.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
        const failures: Failure[] = await importGroups(systemContext(deps, tx, owned.actor), owned.group, folder, made)
        await moveGroupImport(tx, group_id, 'finish', { now: deps.now(), failures })
      })
    } catch (error) {
      for (const id of made) await removeWiki(deps, id)
      throw error
    }
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof ObjectStoreUnavailable) throw error
    const { message, relation } = reasonOf(error)
    deps.log[message === FAILED ? 'error' : 'info']({ err: error, group: group_id }, 'an archive of a group could not be imported')
    const failures = [{ relation, source: 'archive', message }]
    await transact(db, tx => moveGroupImport(tx, group_id, 'fail', { now: deps.now(), error: message, failures }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
