/** Writes of exports. The task exporting/task.ts makes the archives. */
import { randomUUID } from 'node:crypto'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { ARCHIVES_QUEUE, enqueue, remoteQueue } from '../../platform/events/worker.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { forbidden, invalid } from '../../platform/kernel/errors.ts'
import { isCallable } from '../../platform/outbound/callable.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import type { MaybeLarge } from '../archives/turns.ts'
import { isExpired } from '../archives/writing/expiry.ts'
import { UPLOAD_PURPOSE } from './queries.ts'

/** What an export is asked for with. */
export interface ExportOptions {
  readonly description?: string | undefined
  readonly upload?: { readonly url: string; readonly http_method?: 'PUT' | 'POST' | undefined } | undefined
}

/** Which request a task is for. */
export interface ExportTask extends MaybeLarge {
  readonly project_id: number
  readonly request_key: string
}

/** The queue of an archive. What waits for another server has one of its own, so that a slow one holds up none of those that are here. */
export const queueOfArchive = (projectId: number, isRemote: boolean): string => (isRemote ? remoteQueue(projectId) : ARCHIVES_QUEUE)

/**
 * Queues an export. The archive of before can be downloaded until the new one is there, unless another user had asked for it; a request that comes
 * while one is under way takes its place.
 * @throws Refusal 400 for an address that may not be called
 */
export async function requestExport(ctx: Context, project: ProjectRow, { description, upload }: ExportOptions): Promise<void> {
  const { db, deps, actor, now } = ctx
  if (!actor.user) throw forbidden()
  if (upload && !(await isCallable(upload.url, deps.config.outboundAllow)))
    throw invalid({ 'upload[url]': ['is blocked: it is not a public web address'] })
  const request_key = randomUUID()
  const columns = {
    user_id: actor.user.id,
    state: 'queued' as const,
    request_key,
    description: description ?? null,
    upload_address: upload ? deps.secrets.encrypt(upload.url, UPLOAD_PURPOSE) : null,
    upload_method: upload ? (upload.http_method ?? 'PUT') : null,
    error: null,
    created_at: now,
  }
  await db
    .insertInto('project_exports')
    .values({ ...columns, project_id: project.id })
    .onConflict(conflict =>
      conflict.column('project_id').doUpdateSet(({ eb, ref }) => {
        // An archive is for the user who asked for it (`archiveOf`): it does not pass to the next one.
        const isOwn = eb('project_exports.user_id', '=', ref('excluded.user_id'))
        return {
          ...columns,
          object_id: eb.case().when(isOwn).then(ref('project_exports.object_id')).end(),
          filename: eb.case().when(isOwn).then(ref('project_exports.filename')).end(),
        }
      }),
    )
    .execute()
  await queueExport(db, { project_id: project.id, request_key }, queueOfArchive(project.id, upload !== undefined), actor.user.id)
  await recordEvent(ctx, {
    kind: 'project.exported',
    payload: { id: project.id, name: project.full_path },
    actorId: actor.user.id,
    projectId: project.id,
  })
}

/** Records that the archive, which has all that the project keeps, is downloaded by the actor. */
export async function recordDownload(ctx: Context, { id, full_path }: ProjectRow): Promise<void> {
  const event = { kind: 'project.export_downloaded', payload: { id, name: full_path }, actorId: ctx.actor.user?.id, projectId: id } as const
  await transact(ctx.db, db => recordEvent({ ...ctx, db }, event))
}

/** Queues an export for its user. */
export const queueExport = (db: Db, task: ExportTask, queueName: string, userId: number | null): Promise<void> =>
  enqueue(db, 'export_project', task, { jobKey: `export_project ${task.project_id}`, queueName, turnOf: userId, maxAttempts: 3 })

/** Begins an export, or begins it again after a crash; undefined where another one was asked for, or the project is gone. */
export const startExport = (db: Db, { project_id, request_key }: ExportTask) =>
  db
    .updateTable('project_exports')
    .set({ state: 'started' })
    .where('project_id', '=', project_id)
    .where('request_key', '=', request_key)
    .where('state', 'in', ['queued', 'started'])
    .returning(['user_id', 'description', 'upload_address', 'upload_method'])
    .executeTakeFirst()

type ExportEnd =
  | { readonly error: string }
  /** It was sent elsewhere. Contract: it is not kept then (project import and export API at 14.0). */
  | { readonly sent: string | null; readonly now: Date }
  | { readonly object_id: number; readonly filename: string; readonly now: Date }

/** Ends an export: with its archive, or with the reason why there is none. `sent`: why it could not be sent; null where it was. */
export async function endExport(db: Db, { project_id, request_key }: ExportTask, end: ExportEnd): Promise<void> {
  await db
    .updateTable('project_exports')
    .set(endColumns(end))
    .where('project_id', '=', project_id)
    .where('request_key', '=', request_key)
    .execute()
}

function endColumns(end: ExportEnd) {
  if ('error' in end) return { state: 'failed' as const, error: end.error }
  const { now: finished_at } = end
  if ('object_id' in end) return { state: 'finished' as const, object_id: end.object_id, filename: end.filename, finished_at }
  const state = end.sent === null ? ('finished' as const) : ('failed' as const)
  return { state, error: end.sent, object_id: null, filename: null, upload_address: null, finished_at }
}

/** Forgets archives that are too old to be downloaded. */
export async function expireExports({ database, now }: Pick<Deps, 'database' | 'now'>): Promise<void> {
  await database.db.deleteFrom('project_exports').where(isExpired(now())).execute()
}
