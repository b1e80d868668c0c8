/** Writes of exports and imports of groups. Tasks make the archives, and read them. */
import { randomUUID } from 'node:crypto'
import type { Visibility } from '../../platform/access/abilities.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import { allowedLevelBelow } from '../../platform/application_settings/restricted_levels.ts'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { ARCHIVES_QUEUE, enqueue } from '../../platform/events/worker.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import type { Upload } from '../../platform/kernel/declaration/types.ts'
import { forbidden, InvalidAsHash, Refusal } from '../../platform/kernel/errors.ts'
import { putUpload, recordObject } from '../../platform/object_store/rows.ts'
import { createGroup } from '../../spaces/groups/commands.ts'
import { type GroupRow, visibleGroup } from '../../spaces/groups/queries.ts'
import { assertArchive } from '../archives/reading/form.ts'
import type { MaybeLarge } from '../archives/turns.ts'
import { isExpired } from '../archives/writing/expiry.ts'

/** Which request a task is for. */
export interface GroupExportTask extends MaybeLarge {
  readonly group_id: number
  readonly request_key: string
}

/**
 * Queues an export. The archive of before can be downloaded until the new one is there, unless another user had asked for it; a request that comes
 * while one is under way takes its place.
 */
export async function requestGroupExport(ctx: Context, group: GroupRow): Promise<void> {
  const { db, actor, now } = ctx
  if (!actor.user) throw forbidden()
  const request_key = randomUUID()
  const columns = { user_id: actor.user.id, state: 'queued' as const, request_key, error: null, created_at: now }
  await db
    .insertInto('group_exports')
    .values({ ...columns, namespace_id: group.id })
    .onConflict(conflict =>
      conflict.column('namespace_id').doUpdateSet(({ eb, ref }) => {
        // An archive is for the user who asked for it (`archiveOf`): it does not pass to the next one.
        const isOwn = eb('group_exports.user_id', '=', ref('excluded.user_id'))
        return {
          ...columns,
          object_id: eb.case().when(isOwn).then(ref('group_exports.object_id')).end(),
          filename: eb.case().when(isOwn).then(ref('group_exports.filename')).end(),
        }
      }),
    )
    .execute()
  await queueGroupExport(db, { group_id: group.id, request_key }, ARCHIVES_QUEUE, actor.user.id)
  await recordEvent(ctx, {
    kind: 'group.exported',
    payload: { id: group.id, name: group.full_path },
    actorId: actor.user.id,
    namespaceId: group.id,
  })
}

/** Records that the archive is downloaded by the actor. */
export async function recordGroupDownload(ctx: Context, { id, full_path }: GroupRow): Promise<void> {
  const event = { kind: 'group.export_downloaded', payload: { id, name: full_path }, actorId: ctx.actor.user?.id, namespaceId: id } as const
  await transact(ctx.db, db => recordEvent({ ...ctx, db }, event))
}

/** Begins an export, or begins it again after a crash; undefined where another one was asked for, or the group is gone. */
export const startGroupExport = (db: Db, { group_id, request_key }: GroupExportTask) =>
  db
    .updateTable('group_exports')
    .set({ state: 'started' })
    .where('namespace_id', '=', group_id)
    .where('request_key', '=', request_key)
    .where('state', 'in', ['queued', 'started'])
    .returning('user_id')
    .executeTakeFirst()

type ExportEnd = { readonly error: string } | { readonly object_id: number; readonly filename: string; readonly now: Date }

/** Ends an export: with its archive, or with the reason why there is none. */
export async function endGroupExport(db: Db, { group_id, request_key }: GroupExportTask, end: ExportEnd): Promise<void> {
  await db
    .updateTable('group_exports')
    .set(
      'error' in end
        ? { state: 'failed', error: end.error }
        : { state: 'finished', object_id: end.object_id, filename: end.filename, finished_at: end.now },
    )
    .where('namespace_id', '=', group_id)
    .where('request_key', '=', request_key)
    .execute()
}

/** Forgets archives that are too old to be downloaded. */
export async function expireGroupExports({ database, now }: Pick<Deps, 'database' | 'now'>): Promise<void> {
  await database.db.deleteFrom('group_exports').where(isExpired(now())).execute()
}

/** Queues an export for its user. */
export const queueGroupExport = (db: Db, task: GroupExportTask, queueName: string, userId: number | null): Promise<void> =>
  enqueue(db, 'export_group', task, { jobKey: `export_group ${task.group_id}`, queueName, turnOf: userId, maxAttempts: 3 })

/** Queues an import for its user. */
export const queueGroupImport = (
  db: Db,
  task: { readonly group_id: number; readonly large?: boolean },
  queueName: string,
  userId: number | null | undefined,
): Promise<void> =>
  enqueue(db, 'import_group', task, { jobKey: `import_group ${task.group_id}`, queueName, turnOf: userId ?? null, maxAttempts: 3 })

/** What an import is asked for with. */
export interface GroupImportOptions {
  readonly file: Upload
  readonly name: string
  readonly path: string
  readonly parent_id?: number | undefined
}

/**
 * Makes the group that an archive is to become, and queues its import. In its own transaction, since archives are large. Contract: the group is
 * private, or as open as the group that it comes into (group import and export API at 14.0).
 * @throws Refusal 404 for a parent that the caller may not see, 403 where they may not create a group, 400 for a name or path that it cannot have,
 * 422 for a file that is no archive, 413 for a large one
 */
export async function requestGroupImport(ctx: Context, { file, ...options }: GroupImportOptions): Promise<GroupRow> {
  await assertArchive(ctx.db, file)
  const stored = await putUpload(ctx.deps.objects, file)
  return transact(ctx.deps.database.db, async db => {
    const inside = { ...ctx, db }
    const parent = options.parent_id === undefined ? undefined : await visibleGroup(db, ctx.actor, String(options.parent_id))
    const visibility = allowedLevelBelow(ctx.actor, await applicationSettings(db), (parent?.visibility ?? 'private') as Visibility)
    const group = await createGroup(inside, { ...options, visibility }).catch(rethrowUnsaved)
    await db
      .insertInto('group_imports')
      .values({
        namespace_id: group.id,
        user_id: ctx.actor.user?.id ?? null,
        state: 'created',
        object_id: await recordObject(db, stored),
        created_at: ctx.now,
      })
      .execute()
    const { id: group_id } = group
    await queueGroupImport(db, { group_id }, ARCHIVES_QUEUE, ctx.actor.user?.id)
    return group
  })
}

/** Contract: 400 with the problems as a hash in the words of the platform's language (group import and export API at 14.0). */
function rethrowUnsaved(error: unknown): never {
  if (!(error instanceof Refusal) || !['conflict', 'bad_request'].includes(error.kind)) throw error
  const { message } = error.body as { message: string | Readonly<Record<string, string[]>> }
  const [, field, problem] = typeof message === 'string' ? (/^(Name|Path) (.*)$/.exec(message) ?? []) : []
  const problems =
    typeof message !== 'string' ? message : field !== undefined && problem !== undefined && { [field.toLowerCase()]: [problem] }
  throw problems ? new InvalidAsHash('Failed to save group', problems) : error
}
