/** Writes of packages. */

import type { Readable } from 'node:stream'
import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import { jobById } from '../../ci/jobs/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Packages } from '../../platform/db/schema.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { transact } from '../../platform/db/transact.ts'
import { recordEvents } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { recordObject } from '../../platform/object_store/rows.ts'
import { addToStatistics } from '../../spaces/project_statistics/commands.ts'
import type { Stored } from '../../spaces/projects/repository/store.ts'
import { assertPackagesAllow, hasPushRules, type NamedPackage } from '../registry_protection/rights.ts'
import { type PackageFileRow, type PackageRow, packageFiles, packages } from './queries.ts'
import { type Admission, type Announced, type Received, receiveFile } from './receive.ts'
import type { PackageStatus, PublishedType, ReceivedType } from './types.ts'

/** A version of a package, as it is published. */
export interface NewPackage {
  readonly package_type: PublishedType
  readonly name: string
  /** The name as its package manager compares it; the name itself unless given. */
  readonly lookup_name?: string
  readonly version: string | null
  readonly status?: PackageStatus | undefined
  readonly metadata?: object
}

/** The package that a version became, or was already. */
export interface Published {
  readonly package: PackageRow
  readonly isNew: boolean
}

/**
 * Makes the row of a version unless it is there, and locks it: of those who publish it concurrently one has made it.
 * @throws Refusal 403 where a rule protects the name
 */
export async function publishVersion(db: Db, ctx: Context, projectId: number, wanted: NewPackage): Promise<Published> {
  const { package_type, name, lookup_name = name, version, status, metadata } = wanted
  await assertPackagesAllow({ ...ctx, db }, 'push', [{ project_id: projectId, package_type, name, lookup_name }])
  const values: Insertable<Packages> = {
    project_id: projectId,
    package_type,
    name,
    lookup_name,
    version,
    metadata: JSON.stringify(metadata ?? {}),
    creator_id: ctx.actor.user?.id ?? null,
    created_at: ctx.now,
    updated_at: ctx.now,
    ...(status !== undefined && { status }),
  }
  const made = await db
    .insertInto('packages')
    .values(values)
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  const row = await packages(db)
    .where('packages.project_id', '=', projectId)
    .where('packages.package_type', '=', package_type)
    .where('packages.lookup_name', '=', lookup_name)
    .where(sql<boolean>`coalesce(packages.version, '') = ${version ?? ''}`)
    .forUpdate('packages')
    .executeTakeFirstOrThrow()
  await recordBuild(db, ctx, row.id)
  return { package: row, isNew: made !== undefined }
}

/** Notes which pipeline made a package or a file, where a job publishes it. */
async function recordBuild(db: Db, { actor }: Context, packageId: number, fileId: number | null = null): Promise<void> {
  const job = actor.credential?.kind === 'job_token' ? await jobById(db, actor.credential.jobId) : undefined
  if (!job) return
  await db
    .insertInto('package_build_infos')
    .values({ package_id: packageId, package_file_id: fileId, pipeline_id: job.pipeline_id })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** What is known of a file besides its bytes. */
export interface AboutFile {
  /** The channel of a chart of Helm. */
  readonly channel?: string
  /** What the index says of this file. */
  readonly metadata?: object
}

/** Names received bytes as a file of a package. Where the store has the same bytes already, these are named instead. */
export async function addFile(
  db: Db,
  ctx: Context,
  to: PackageRow,
  file_name: string,
  received: Received,
  { channel, metadata }: AboutFile = {},
): Promise<PackageFileRow> {
  const { size, sha256, digests } = received
  const { id } = await db
    .insertInto('package_files')
    .values({
      package_id: to.id,
      object_id: (await objectWithBytes(db, sha256)) ?? (await recordObject(db, received)),
      file_name,
      size,
      file_sha256: sha256,
      file_sha1: digests.sha1 ?? null,
      file_md5: digests.md5 ?? null,
      channel: channel ?? null,
      ...(metadata && { metadata: JSON.stringify(metadata) }),
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('packages').set({ updated_at: ctx.now }).where('id', '=', to.id).execute()
  await recordBuild(db, ctx, to.id, id)
  await addToStatistics(db, to.project_id, 'packages_size', size)
  return packageFiles(db).where('package_files.id', '=', id).executeTakeFirstOrThrow()
}

/** The object with these bytes that a file of a package names, locked against the sweeper until the transaction ends. */
async function objectWithBytes(db: Db, sha256: string): Promise<number | undefined> {
  // Of two who bring the same bytes concurrently, the second finds those of the first.
  await lockName(db, 'package file', sha256)
  const row = await db
    .selectFrom('stored_objects')
    .select('id')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('package_files')
          .select('package_files.id')
          .whereRef('package_files.object_id', '=', 'stored_objects.id')
          .where('package_files.file_sha256', '=', sha256),
      ),
    )
    .orderBy('id')
    .limit(1)
    .forKeyShare()
    .executeTakeFirst()
  return row?.id
}

/** Names received bytes in one transaction, and drops them where the store had them already. */
export async function keepReceived<T>(
  ctx: Context,
  received: Received,
  counted: (db: Db) => Promise<void>,
  name: (db: Db) => Promise<T & { readonly file: PackageFileRow }>,
): Promise<T & { readonly file: PackageFileRow }> {
  const kept = await transact(ctx.deps.database.db, async db => {
    const named = await name(db)
    await counted(db)
    return named
  })
  if (kept.file.key !== received.key) await ctx.deps.objects.delete([received.key])
  return kept
}

/** Asks, before the bytes come, whether a rule protects the name; `publishVersion` asks again, since rules may have changed by then. */
export const mayPublish =
  (ctx: Context, { id }: Pick<Stored, 'id'>, { package_type, name, lookup_name = name }: Omit<NewPackage, 'version'>) =>
  (): Promise<void> =>
    assertPackagesAllow(ctx, 'push', [{ project_id: id, package_type, name, lookup_name }])

/**
 * The same where the file alone names its package: what its beginning says is asked about before the rest is read. Where no rule of the project is
 * about publications of the type, nothing is looked at.
 * @param nameIn the name in the beginning of a file, as it is shown and as it is compared. What it refuses is left to those who read the whole file.
 */
export const mayPublishNamed =
  (ctx: Context, { id }: Pick<Stored, 'id'>, package_type: ReceivedType, nameIn: (beginning: Buffer) => Promise<Named | undefined>) =>
  async (): Promise<Admission | undefined> => {
    if (!(await hasPushRules(ctx, id, package_type))) return undefined
    return async beginning => {
      const named = await nameIn(beginning).catch(unlessUnfit)
      if (named) await mayPublish(ctx, { id }, { package_type, ...named })()
    }
  }

type Named = Pick<NewPackage, 'name' | 'lookup_name'>

/** A file may be cut off where its beginning ends. */
function unlessUnfit(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

/** What a client publishes by one request: a version, and a file of it. */
export interface NewFile extends NewPackage {
  readonly package_type: ReceivedType
  readonly file_name: string
}

/**
 * Receives a file and adds it to its version, which is made where there is none.
 * @param assertFits refuses what may not be published, in the transaction, with the version locked
 */
export const publishFile = (
  ctx: Context,
  project: Stored,
  source: Readable,
  wanted: NewFile,
  announced: Omit<Announced, 'type'> = {},
  assertFits: (db: Db, published: Published, received: Received) => Promise<void> = async () => {},
): Promise<Published & { readonly file: PackageFileRow }> =>
  receiveFile(
    ctx,
    project,
    source,
    { ...announced, type: wanted.package_type, assertAllowed: mayPublish(ctx, project, wanted) },
    (received, counted) =>
      keepReceived(ctx, received, counted, async db => {
        const published = await publishVersion(db, ctx, project.id, wanted)
        await assertFits(db, published, received)
        return { ...published, file: await addFile(db, ctx, published.package, wanted.file_name, received) }
      }),
  )

/** Says what the index of its type says of a version. */
export async function describePackage(db: Db, id: number, metadata: object): Promise<void> {
  await db
    .updateTable('packages')
    .set({ metadata: JSON.stringify(metadata) })
    .where('id', '=', id)
    .execute()
}

/** A package of a project, whatever its version. */
type Tagged = Pick<PackageRow, 'project_id' | 'lookup_name'>

/** Makes each tag name its version, given by its id, and no other one of the package. */
export async function tagPackage(
  db: Db,
  { now }: Context,
  { project_id, lookup_name }: Tagged,
  tags: ReadonlyMap<string, number>,
): Promise<void> {
  if (tags.size === 0) return
  await sql`
    insert into package_tags (project_id, package_id, lookup_name, name, created_at, updated_at)
    select ${project_id}, package_id, ${lookup_name}, name, ${now}, ${now}
      from unnest(${[...tags.values()]}::bigint[], ${[...tags.keys()]}::text[]) as tagged (package_id, name)
        on conflict on constraint package_tags_name_key
        do update set package_id = excluded.package_id, updated_at = excluded.updated_at`.execute(db)
}

/** Removes tags from the versions of a package. */
export async function untagPackage(db: Db, { project_id, lookup_name }: Tagged, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await db
    .deleteFrom('package_tags')
    .where('project_id', '=', project_id)
    .where('lookup_name', '=', lookup_name)
    .where('name', '=', anyOf(names))
    .execute()
}

/** What the deletion of a package needs to know of it. */
type Removable = NamedPackage & Pick<PackageRow, 'id' | 'version' | 'package_type'>

/** Deletes a package with its files; the object store sweeps the bytes that no other file has. */
export const removePackage = (ctx: Context, row: Removable): Promise<void> => removePackages(ctx, [row])

/** Deletes packages of one project with their files. @throws Refusal 403 where one of them is protected */
export async function removePackages(ctx: Context, rows: readonly Removable[]): Promise<void> {
  const { db, actor } = ctx
  const [first] = rows
  if (!first) return
  await assertPackagesAllow(ctx, 'delete', rows)
  const ids = anyOf(rows.map(({ id }) => id))
  await db.selectFrom('packages').select('id').where('id', '=', ids).orderBy('id').forUpdate().execute()
  const removed = await db.deleteFrom('package_files').where('package_id', '=', ids).returning('size').execute()
  await db.deleteFrom('packages').where('id', '=', ids).execute()
  await addToStatistics(db, first.project_id, 'packages_size', -removed.reduce((sum, { size }) => sum + size, 0))
  await recordEvents(
    ctx,
    rows.map(({ id, project_id, name, version, package_type }) => ({
      kind: 'package.deleted' as const,
      payload: { package_id: id, name, version, package_type },
      actorId: actor.user?.id,
      projectId: project_id,
    })),
  )
}

/** A file of a package with what is known of it from now on. */
export interface MovedFile extends AboutFile {
  readonly id: number
}

/** Makes files that have come before files of another package of their project. */
export async function moveFiles(db: Db, { now }: Context, to: PackageRow, files: readonly MovedFile[]): Promise<void> {
  if (files.length === 0) return
  await sql`
    update package_files set package_id = ${to.id}, channel = moved.channel, metadata = coalesce(moved.metadata, package_files.metadata), updated_at = ${now}
      from json_to_recordset(${JSON.stringify(files)}::json) as moved (id bigint, channel text, metadata json)
     where package_files.id = moved.id`.execute(db)
  const ids = files.map(({ id }) => id)
  await db.updateTable('package_build_infos').set({ package_id: to.id }).where('package_file_id', '=', anyOf(ids)).execute()
  await db.updateTable('packages').set({ updated_at: now }).where('id', '=', to.id).execute()
}

/** Drops files of a package that nobody has seen published. */
export async function dropFiles(db: Db, from: PackageRow, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const dropped = await db
    .deleteFrom('package_files')
    .where('package_id', '=', from.id)
    .where('id', '=', anyOf(ids))
    .returning('size')
    .execute()
  await addToStatistics(db, from.project_id, 'packages_size', -dropped.reduce((sum, { size }) => sum + size, 0))
}

/** Deletes a file of a package. @throws Refusal 403 where it is protected */
export const removeFile = (ctx: Context, from: PackageRow, file: PackageFileRow): Promise<void> => removeFiles(ctx, from, [file])

/** Deletes files of a package. @throws Refusal 403 where it is protected */
export async function removeFiles(ctx: Context, from: PackageRow, files: readonly Pick<PackageFileRow, 'id'>[]): Promise<void> {
  const { db } = ctx
  await assertPackagesAllow(ctx, 'delete', [from])
  const removed = await db
    .deleteFrom('package_files')
    .where('package_id', '=', from.id)
    .where('id', '=', anyOf(files.map(({ id }) => id)))
    .returning(['file_name', 'size'])
    .execute()
  if (removed.length === 0) return
  await addToStatistics(db, from.project_id, 'packages_size', -removed.reduce((sum, { size }) => sum + size, 0))
  await recordEvents(
    ctx,
    removed.map(({ file_name }) => ({
      kind: 'package_file.deleted' as const,
      payload: { package_id: from.id, name: from.name, version: from.version, file_name },
      actorId: ctx.actor.user?.id,
      projectId: from.project_id,
    })),
  )
}
