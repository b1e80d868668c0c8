/** Makes the archive of an account in the background, and mails its owner. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mailAccount } from '../../identity/account_mails/recipients.ts'
import { accountExported } from '../../identity/account_mails/texts.ts'
import type { UserActor } from '../../platform/access/actor.ts'
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import { places } from '../../platform/config.ts'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { LARGE_ARCHIVES_QUEUE } from '../../platform/events/worker.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { recordObject } from '../../platform/object_store/rows.ts'
import { BeyondTurn, type Turn, turnOf } from '../archives/turns.ts'
import { HOURS_KEPT } from '../archives/writing/expiry.ts'
import { exportFilename } from '../archives/writing/names.ts'
import { streamArchive } from '../archives/writing/stream.ts'
import { writeRelations } from '../archives/writing/tree.ts'
import { type AccountExportTask, endAccountExport, queueAccountExport, startAccountExport } from './commands.ts'
import { filesOf, MOST_BYTES } from './files.ts'
import { MOST_ROWS, relationsOf, rowsOf } from './relations.ts'

/** Where the archive is asked for and downloaded. */
export const EXPORT_PAGE = '/-/profile/export'

const FAILED = 'Your data could not be exported.'

/**
 * Makes the archive that was asked for, as of one moment, if it is still the one that was asked for last. After a crash it begins again. An account
 * that is not active any more gets none.
 * @param bytes those that it may come to before it gives way to others, and is queued again; any number where it is absent
 */
export async function exportAccount(deps: Deps, task: AccountExportTask, bytes?: number): Promise<void> {
  const { db } = deps.database
  const started = await transact(db, tx => startAccountExport(tx, task))
  if (!started) return
  const folder = join(places(deps.config).transfers, `account-export-${task.large ? 'large-' : ''}${task.user_id}`)
  const turn = turnOf(task, bytes)
  let givesWay = false
  const fail = (error: string) => transact(db, tx => endAccountExport(tx, task, { error }))
  try {
    const actor = await actingAs(db, task.user_id)
    if (!actor) return void (await fail('The account is not active any more.'))
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const files = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(tx => writeAccount(tx, actor, folder, turn))
    const stored = await deps.objects.put(streamArchive(deps, folder, files))
    const now = deps.now()
    await transact(db, async tx => {
      const filename = exportFilename({ full_path: actor.user.username }, now)
      const isEnded = await endAccountExport(tx, task, { object_id: await recordObject(tx, stored), filename, now })
      if (!isEnded) return
      const ctx = systemContext(deps, tx)
      await mailAccount(ctx, task.user_id, accountExported({ link: `${ctx.url}${EXPORT_PAGE}`, hours: HOURS_KEPT }))
    })
  } catch (error) {
    givesWay = error instanceof BeyondTurn
    if (!givesWay) {
      deps.log.error({ err: error, user: task.user_id }, 'an export of an account has failed')
      await fail(FAILED)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  // When the folder is free: the task begins in it as soon as it is queued.
  if (givesWay) await transact(db, tx => queueAccountExport(tx, { ...task, large: true }, LARGE_ARCHIVES_QUEUE))
}

/** Writes what is known, each relation as a file of one row a line, and answers the files besides. */
async function writeAccount(db: Db, actor: UserActor, folder: string, turn: Turn) {
  const relations = Object.entries(relationsOf(actor)).map(([name, relation]) => [name, rowsOf(db, relation)] as const)
  await writeRelations(folder, Object.fromEntries(relations), turn)
  const { files, leftOut } = await filesOf(db, actor)
  for (const { size } of files) turn.take(size)
  await writeFile(join(folder, 'README.txt'), readme(actor, leftOut))
  return files
}

const readme = ({ user }: UserActor, leftOut: number): string => `What this instance knows of ${user.username}.

Each file that ends in .ndjson has one row a line, as JSON; the newest come first, ${MOST_ROWS} at most. Files that you uploaded are in uploads,
${MOST_BYTES / 1024 ** 3} GB at most${leftOut === 0 ? '' : `; ${leftOut} of them had no room`}. Texts that you wrote in places that you may not see any more are left out (null).
Passwords, keys and the secrets of tokens are in no archive. Your projects are exported in their own settings.
`
