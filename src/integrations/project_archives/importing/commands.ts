/** Writes of imports: the project that an archive is to become, and how its import goes. The task importing/task.ts reads the archive. */

import { randomBytes } from 'node:crypto'
import type { Db } from '../../../platform/db/connection.ts'
import { insertRows } from '../../../platform/db/statements/insert_rows.ts'
import { transact } from '../../../platform/db/transact.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Upload } from '../../../platform/kernel/declaration/types.ts'
import { forbidden, invalid, notFound, Refusal } from '../../../platform/kernel/errors.ts'
import { putUpload, recordObject } from '../../../platform/object_store/rows.ts'
import { isCallable } from '../../../platform/outbound/callable.ts'
import { ownNamespace } from '../../../spaces/namespaces/queries.ts'
import { createProject, type ProjectAttributes } from '../../../spaces/projects/commands.ts'
import { moveImport } from '../../../spaces/projects/imports/states.ts'
import { type ProjectRow, projects } from '../../../spaces/projects/queries.ts'
import { projectAllowing } from '../../../spaces/projects/scope.ts'
import type { Failure } from '../../archives/importing/import.ts'
import { assertArchive } from '../../archives/reading/form.ts'
import { queueOfArchive } from '../commands.ts'
import { REMOTE_PURPOSE } from '../queries.ts'

/** What an import is asked for with. */
export interface ImportOptions {
  readonly path: string
  readonly name?: string | undefined
  readonly namespace?: string | undefined
  readonly overwrite?: boolean | undefined
  readonly override_params?: ProjectAttributes | undefined
}

/** An archive that was sent, or the address of one. */
type Source = { readonly file: Upload } | { readonly url: string }

/**
 * Makes the project that an archive is to become, private and empty, and queues its import. In its own transaction, since archives are large.
 * @throws Refusal 404 for a namespace that the caller may not use, 400 for a name or path that is taken, 422 for a file that is no archive, 413 for a large one
 */
export async function requestImport(ctx: Context, source: Source, options: ImportOptions): Promise<ProjectRow> {
  if ('file' in source) await assertArchive(ctx.db, source.file)
  else if (!(await isCallable(source.url, ctx.deps.config.outboundAllow)))
    throw invalid({ url: ['is blocked: it is not a public web address'] })
  const stored = 'file' in source ? await putUpload(ctx.deps.objects, source.file) : undefined
  return transact(ctx.deps.database.db, async db => {
    const inside = { ...ctx, db }
    const object_id = stored ? await recordObject(db, stored) : null
    const address = 'url' in source ? ctx.deps.secrets.encrypt(source.url, REMOTE_PURPOSE) : null
    const id = await prepareImport(inside, { object_id, address }, options)
    await queueImport(db, { project_id: id }, queueOfArchive(id, address !== null), ctx.actor.user?.id)
    return projects(db).where('projects.id', '=', id).executeTakeFirstOrThrow()
  })
}

/** Queues an import for its user. */
export const queueImport = (
  db: Db,
  task: { readonly project_id: number; readonly large?: boolean },
  queueName: string,
  userId: number | null | undefined,
): Promise<void> =>
  enqueue(db, 'import_archive', task, { jobKey: `import_archive ${task.project_id}`, queueName, turnOf: userId ?? null, maxAttempts: 3 })

/**
 * Makes the project that an archive is to become, in the transaction of the caller, whose task imports it. Answers the id of the project.
 * @throws Refusal as `requestImport`
 */
export async function prepareImport(
  ctx: Context,
  archive: { readonly object_id: number | null; readonly address: string | null },
  options: ImportOptions,
): Promise<number> {
  const { db } = ctx
  const namespace = await namespaceOf(ctx, options)
  const replaced = await projectToReplace(ctx, namespace.full_path, options)
  const id = await makeProject(ctx, namespace.id, options, replaced !== undefined)
  await db
    .insertInto('project_imports')
    .values({
      ...archive,
      project_id: id,
      user_id: ctx.actor.user?.id ?? null,
      override_params: JSON.stringify(options.override_params ?? {}),
      correlation_id: ctx.request.id || randomBytes(8).toString('hex'),
      replaces_id: replaced?.id ?? null,
      final_path: options.path,
      final_name: options.name ?? options.path,
      created_at: ctx.now,
    })
    .execute()
  await moveImport(db, id, 'schedule')
  return id
}

async function namespaceOf({ db, actor }: Context, { namespace }: ImportOptions) {
  if (!actor.user) throw forbidden()
  const found = await ownNamespace(db, actor, namespace ?? actor.user.username)
  if (!found) throw notFound('Namespace')
  return found
}

/** The project at the path, which the caller may delete; undefined where there is none, or nothing is to be overwritten. */
async function projectToReplace(ctx: Context, namespacePath: string, { path, overwrite }: ImportOptions): Promise<ProjectRow | undefined> {
  return overwrite ? projectAllowing(ctx, `${namespacePath}/${path}`, 'remove_project') : undefined
}

/** Contract: 400 with the first sentence for a name or path that is taken (project import and export API at 14.0). */
async function makeProject(ctx: Context, namespaceId: number, { path, name = path }: ImportOptions, isAside: boolean): Promise<number> {
  const suffix = isAside ? `-${randomBytes(8).toString('hex')}` : ''
  try {
    const { id } = await createProject(ctx, {
      name: `${name}${suffix}`,
      path: `${path}${suffix}`,
      namespace_id: namespaceId,
      visibility: 'private',
    })
    return id
  } catch (error) {
    const { kind, body } = error as Partial<Refusal>
    throw error instanceof Refusal && kind === 'conflict' ? new Refusal('bad_request', body) : error
  }
}

/** What is known of an import. */
export const importOf = (db: Db, projectId: number) =>
  db
    .selectFrom('project_imports')
    .leftJoin('stored_objects', 'stored_objects.id', 'project_imports.object_id')
    .select(['project_imports.user_id', 'address', 'override_params', 'replaces_id', 'final_path', 'final_name', 'correlation_id'])
    .select(['stored_objects.key'])
    .where('project_imports.project_id', '=', projectId)
    .executeTakeFirst()

/** Keeps the archive that was fetched, for another attempt. */
export async function keepArchive(db: Db, projectId: number, object_id: number): Promise<void> {
  await db.updateTable('project_imports').set({ object_id }).where('project_id', '=', projectId).execute()
}

/** Forgets the archive of an import that has ended. */
export async function forgetArchive(db: Db, projectId: number): Promise<void> {
  await db.updateTable('project_imports').set({ object_id: null, address: null }).where('project_id', '=', projectId).execute()
}

/** Keeps what could not be imported, for `failed_relations`. */
export async function recordFailures(db: Db, projectId: number, failures: readonly Failure[], now: Date): Promise<void> {
  await insertRows(
    db,
    'import_failures',
    failures.slice(0, MOST_FAILURES).map(({ relation, source, message }) => ({
      project_id: projectId,
      relation_name: relation,
      source,
      exception_class: 'ArchiveRefused',
      exception_message: message,
      created_at: now,
    })),
  )
}

const MOST_FAILURES = 1_000
