/** Writes of exports of accounts. A task makes the archive. */
import { randomUUID } from 'node:crypto'
import type { Db } from '../../platform/db/connection.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { ARCHIVES_QUEUE, enqueue } from '../../platform/events/worker.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import type { MaybeLarge } from '../archives/turns.ts'
import { isExpired } from '../archives/writing/expiry.ts'

/** Which request a task is for. */
export interface AccountExportTask extends MaybeLarge {
  readonly user_id: number
  readonly request_key: string
}

/** Hours after which a request that never ended may be made again. */
const HOURS_WAITED = 6

/** Queues an export of the account; the archive of before is dropped. @throws Refusal 409 while one is made */
export async function requestAccountExport(ctx: Context, { id }: { readonly id: number }): Promise<void> {
  const { db, now } = ctx
  const request_key = randomUUID()
  const columns = {
    state: 'queued',
    request_key,
    error: null,
    object_id: null,
    filename: null,
    created_at: now,
    finished_at: null,
  } as const
  const queued = await db
    .insertInto('account_exports')
    .values({ user_id: id, ...columns })
    .onConflict(conflict =>
      conflict
        .column('user_id')
        .doUpdateSet(columns)
        .where(({ or, eb }) =>
          or([
            eb('account_exports.state', 'in', ['finished', 'failed']),
            eb('account_exports.created_at', '<', new Date(now.getTime() - HOURS_WAITED * 60 * 60 * 1000).toISOString()),
          ]),
        ),
    )
    .returning('user_id')
    .executeTakeFirst()
  if (!queued) throw conflict('Your data is being exported already')
  await queueAccountExport(db, { user_id: id, request_key }, ARCHIVES_QUEUE)
  await recordEvent(ctx, { kind: 'user.exported', payload: { user_id: id } })
}

/** Queues an export for its user. */
export const queueAccountExport = (db: Db, task: AccountExportTask, queueName: string): Promise<void> =>
  enqueue(db, 'export_account', task, { jobKey: `export_account ${task.user_id}`, queueName, turnOf: task.user_id, maxAttempts: 3 })

/** Begins an export, or begins it again after a crash; undefined where another one was asked for. */
export const startAccountExport = (db: Db, { user_id, request_key }: AccountExportTask) =>
  db
    .updateTable('account_exports')
    .set({ state: 'started' })
    .where('user_id', '=', user_id)
    .where('request_key', '=', request_key)
    .where('state', 'in', ['queued', 'started'])
    .returning('user_id')
    .executeTakeFirst()

type ExportEnd = { readonly error: string } | { readonly object_id: number; readonly filename: string; readonly now: Date }

/** Ends an export: with its archive, or with the reason why there is none. False where another one was asked for meanwhile. */
export async function endAccountExport(db: Db, { user_id, request_key }: AccountExportTask, end: ExportEnd): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account_exports')
    .set(
      'error' in end
        ? { state: 'failed', error: end.error }
        : { state: 'finished', object_id: end.object_id, filename: end.filename, finished_at: end.now },
    )
    .where('user_id', '=', user_id)
    .where('request_key', '=', request_key)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Forgets archives that are too old to be downloaded. */
export async function expireAccountExports({ database, now }: Pick<Deps, 'database' | 'now'>): Promise<void> {
  await database.db.deleteFrom('account_exports').where(isExpired(now())).execute()
}
