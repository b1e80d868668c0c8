/** Reads of packages. */
import { type RawBuilder, sql } from 'kysely'
import { pipelines } from '../../ci/pipelines/queries.ts'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { containing } from '../../platform/db/statements/like.ts'
import { displayable, type PackageStatus, type PackageType } from './types.ts'

/** Packages with the path of their project, which their addresses need. */
export const packages = (db: Db) =>
  db
    .selectFrom('packages')
    .leftJoin('routes', 'routes.project_id', 'packages.project_id')
    .selectAll('packages')
    .select(({ ref }) => ref('routes.path').$notNull().as('project_path'))

export type PackageRow = Awaited<ReturnType<ReturnType<typeof packages>['executeTakeFirstOrThrow']>>

/** The projects in a group whose packages the actor may read; without `below` those of the group itself. */
export const readableIn = (actor: Actor, groupId: number, below: boolean): RawBuilder<number> => {
  const inside = below
    ? sql<boolean>`projects.namespace_id in (select id from namespaces where traversal_ids @> ${[groupId]})`
    : sql<boolean>`projects.namespace_id = ${groupId}`
  return readableWhere(actor, inside)
}

const readableWhere = (actor: Actor, condition: RawBuilder<boolean>): RawBuilder<number> =>
  projectsAllowing(actor, 'read_package', sql<boolean>`projects.packages_enabled and ${condition}`)

/** The package of a project with this id, if it can be shown. */
export const packageOfProject = (db: Db, projectId: number, id: number) =>
  packages(db)
    .where('packages.project_id', '=', projectId)
    .where('packages.id', '=', id)
    .where('packages.status', 'in', displayable)
    .executeTakeFirst()

/** The packages of one name, in a project or in several. */
export interface NamedPackages {
  readonly package_type: PackageType
  readonly lookup_name: string
}

/**
 * Where packages are looked up: in a project; as far as the actor may read them in a group and below it, or below the group or user of a path.
 * In the whole instance nothing is looked up: who published a name last would take it from all others.
 */
export type Where =
  | { readonly projectId: number }
  | { readonly actor: Actor; readonly groupId: number }
  | { readonly actor: Actor; readonly root: string }

/** The states of packages that can be installed. */
export const installable = ['default', 'hidden'] as const satisfies readonly PackageStatus[]

const isBelow = (root: string) => sql<boolean>`exists (
  select from namespaces n join namespaces r on r.id = n.traversal_ids[1] where n.id = projects.namespace_id and r.path = ${root})`

/** @param among narrows the projects down before it is asked which of them the actor may read */
function inside(where: Where, among: RawBuilder<number>): RawBuilder<boolean> {
  if ('projectId' in where) return sql<boolean>`packages.project_id = ${where.projectId}`
  const readable =
    'root' in where
      ? readableWhere(where.actor, sql<boolean>`projects.id in (${among}) and ${isBelow(where.root)}`)
      : readableIn(where.actor, where.groupId, true)
  return sql<boolean>`packages.project_id in (${readable})`
}

/** Are these projects all ones whose packages can be read there? */
export const mayReadAll = (where: Where, projectIds: RawBuilder<number[]>): RawBuilder<boolean> =>
  'groupId' in where
    ? sql<boolean>`not exists (select from unnest(${projectIds}) listed (id) where listed.id not in (${readableIn(where.actor, where.groupId, true)}))`
    : sql<boolean>`true`

/** The versions of packages of one name that can be installed, the newest last. */
export const versionsIn = (db: Db, where: Where, { package_type, lookup_name }: NamedPackages) =>
  packages(db)
    .where('packages.package_type', '=', package_type)
    .where('packages.lookup_name', '=', lookup_name)
    .where('packages.status', 'in', installable)
    .where(
      inside(
        where,
        sql<number>`select p.project_id from packages p where p.package_type = ${package_type} and p.lookup_name = ${lookup_name}`,
      ),
    )
    .orderBy('packages.id')

/** What these packages say of themselves, by package: one statement. */
export async function metadataOfPackages(db: Db, ids: readonly number[]): Promise<Map<number, PackageRow['metadata']>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('packages').select(['id', 'metadata']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(({ id, metadata }) => [id, metadata]))
}

/** All packages of a type that can be installed, the newest last. */
export const packagesIn = (db: Db, where: Where, type: PackageType) =>
  packages(db)
    .where('packages.package_type', '=', type)
    .where('packages.version', 'is not', null)
    .where('packages.status', 'in', installable)
    .where(inside(where, ofType(type)))
    .orderBy('packages.id')

/** Which names a search finds. */
export interface NameSearch {
  /** Part of the name; empty for all. */
  readonly text: string
  /** Names that have pre-releases alone too. */
  readonly prerelease: boolean
  readonly skip: number
  readonly take: number
}

const ofType = (type: PackageType) => sql<number>`select p.project_id from packages p where p.package_type = ${type}`

/** A version of semantic versioning that is no pre-release. */
const isRelease = sql<boolean>`packages.version not like '%-%'`

/** A page of the names of packages of a type that can be installed, as their package manager compares them, and the number of all: one statement. */
export async function namesIn(db: Db, where: Where, type: PackageType, { text, prerelease, skip, take }: NameSearch) {
  let found = db
    .selectFrom('packages')
    .select('packages.lookup_name')
    .distinct()
    .where('packages.package_type', '=', type)
    .where('packages.version', 'is not', null)
    .where('packages.status', 'in', installable)
    .where(inside(where, ofType(type)))
  if (text !== '') found = found.where('packages.name', 'ilike', containing(text))
  if (!prerelease) found = found.where(isRelease)
  const { total, names } = await db
    .with('found', () => found)
    .selectNoFrom([
      sql<number>`(select count(*) from found)`.as('total'),
      sql<string[]>`array(select lookup_name from found order by lookup_name limit ${take} offset ${skip})`.as('names'),
    ])
    .executeTakeFirstOrThrow()
  return { total, names }
}

/** The newest versions of the packages of these names that can be installed, so many of each, those of a name side by side: one statement. */
export const newestVersionsOf = (db: Db, where: Where, type: PackageType, names: readonly string[], prerelease: boolean, most: number) => {
  let ranked = db
    .selectFrom('packages')
    .select(['id', 'project_id', 'name', 'lookup_name', 'version'])
    .select(sql<number>`row_number() over (partition by lookup_name order by id desc)`.as('place'))
    .where('package_type', '=', type)
    .where('lookup_name', '=', anyOf(names))
    .where('version', 'is not', null)
    .where('status', 'in', installable)
    .where(inside(where, ofType(type)))
  if (!prerelease) ranked = ranked.where(isRelease)
  return db
    .selectFrom(ranked.as('packages'))
    .select(['id', 'project_id', 'name', 'lookup_name', 'version'])
    .where('place', '<=', most)
    .orderBy('lookup_name')
    .orderBy('id', 'desc')
    .execute()
}

/** A file by its name and its digest. */
export interface FileByDigest {
  readonly package_type: PackageType
  readonly file_name: string
  /** Hexadecimal. */
  readonly sha256: string
}

/** The newest file with this name and these bytes in packages that can be installed. */
export const fileByDigest = (db: Db, where: Where, { package_type, file_name, sha256 }: FileByDigest) =>
  packageFiles(db)
    .innerJoin('packages', 'packages.id', 'package_files.package_id')
    .where('package_files.file_sha256', '=', sha256)
    .where('package_files.file_name', '=', file_name)
    .where('packages.package_type', '=', package_type)
    .where('packages.status', 'in', installable)
    .where(
      inside(
        where,
        sql<number>`select p.project_id from package_files f join packages p on p.id = f.package_id where f.file_sha256 = ${sha256}`,
      ),
    )
    .orderBy('package_files.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The other versions of these packages that can be shown, by package: one statement. */
export async function otherVersionsOf(db: Db, rows: readonly PackageRow[]): Promise<Map<number, PackageRow[]>> {
  if (rows.length === 0) return new Map()
  const ids = anyOf(rows.map(({ id }) => id))
  const found = await packages(db)
    .innerJoin('packages as shown', join =>
      join
        .onRef('shown.project_id', '=', 'packages.project_id')
        .onRef('shown.package_type', '=', 'packages.package_type')
        .onRef('shown.lookup_name', '=', 'packages.lookup_name')
        .onRef('shown.id', '<>', 'packages.id'),
    )
    .select('shown.id as shown_id')
    .where('shown.id', '=', ids)
    .where('packages.version', 'is not', null)
    .where('packages.status', 'in', displayable)
    .orderBy('packages.id')
    .execute()
  return Map.groupBy(found, row => row.shown_id)
}

/** The names of the tags of these packages, by package: one statement. */
export async function tagsOf(db: Db, ids: readonly number[]): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('package_tags')
    .select(['package_id', 'name'])
    .where('package_id', '=', anyOf(ids))
    .orderBy('name')
    .execute()
  return new Map([...Map.groupBy(rows, row => row.package_id)].map(([id, tags]) => [id, tags.map(tag => tag.name)]))
}

/** The ids of the pipelines that made these packages, by package, in the order of their builds: one statement. */
export async function pipelineIdsOf(db: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('package_build_infos')
    .select(['package_id', 'pipeline_id'])
    .where('package_id', '=', anyOf(ids))
    .where('package_file_id', 'is', null)
    .orderBy('id')
    .execute()
  return idsBy(rows, row => row.package_id)
}

/** The pipelines that made a package, the newest first, as far as the actor may read them: one may be of another project. */
export const pipelinesOf = (db: Db, actor: Actor, packageId: number) =>
  pipelines(db)
    .where('pipelines.id', 'in', builds =>
      builds
        .selectFrom('package_build_infos')
        .select('pipeline_id')
        .where('package_id', '=', packageId)
        .where('package_file_id', 'is', null),
    )
    .where(sql<boolean>`pipelines.project_id in (${projectsAllowing(actor, 'read_pipeline', sql`projects.id = pipelines.project_id`)})`)
    .orderBy('pipelines.id', 'desc')

/** The ids of the pipelines that made these files, by file: one statement. */
export async function pipelineIdsOfFiles(db: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('package_build_infos')
    .select(['package_file_id', 'pipeline_id'])
    .where('package_file_id', '=', anyOf(ids))
    .orderBy('id')
    .execute()
  return idsBy(rows, row => row.package_file_id as number)
}

const idsBy = <Row extends { readonly pipeline_id: number }>(rows: readonly Row[], by: (row: Row) => number) =>
  new Map([...Map.groupBy(rows, by)].map(([id, builds]) => [id, builds.map(build => build.pipeline_id)]))

/** Files of packages with where their bytes are. */
export const packageFiles = (db: Db) =>
  db
    .selectFrom('package_files')
    .innerJoin('stored_objects', 'stored_objects.id', 'package_files.object_id')
    .selectAll('package_files')
    .select(['stored_objects.key', 'stored_objects.sha256'])

export type PackageFileRow = Awaited<ReturnType<ReturnType<typeof packageFiles>['executeTakeFirstOrThrow']>>

/** The files of a package, in the order in which they came. */
export const filesOf = (db: Db, packageId: number) =>
  packageFiles(db).where('package_files.package_id', '=', packageId).orderBy('package_files.id')

/** The files of these packages, in the order in which they came: one statement. */
export const filesOfPackages = (db: Db, ids: readonly number[]) =>
  packageFiles(db).where('package_files.package_id', '=', anyOf(ids)).orderBy('package_files.id')

/** A file of a package by its id. */
export const fileOfPackage = (db: Db, packageId: number, id: number) =>
  packageFiles(db).where('package_files.package_id', '=', packageId).where('package_files.id', '=', id).executeTakeFirst()

/** The newest file with this name of a package: a name may have come again. */
export const newestFile = (db: Db, packageId: number, fileName: string) => newestFileIn(db, [packageId], fileName)

/** The newest file with this name of any of these packages. */
export const newestFileIn = (db: Db, packageIds: readonly number[], fileName: string) =>
  packageFiles(db)
    .where('package_files.package_id', '=', anyOf(packageIds))
    .where('package_files.file_name', '=', fileName)
    .orderBy('package_files.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Bytes of what files of packages say of themselves: indexes are made of it, in memory. */
export const bytesSaid = sql<number>`coalesce(sum(octet_length(package_files.metadata::text)), 0)::bigint`

/** A channel of Helm, or a distribution of Debian. */
export interface Channel {
  readonly package_type: 'helm' | 'debian'
  readonly name: string
}

/** The files in a channel, of packages that can be installed. */
export const filesInChannel = (db: Db, where: Where, { package_type, name }: Channel) =>
  packageFiles(db)
    .innerJoin('packages', 'packages.id', 'package_files.package_id')
    .where('packages.package_type', '=', package_type)
    .where('packages.status', 'in', installable)
    .where('package_files.channel', '=', name)
    .where(inside(where, ofType(package_type)))

/** The newest file of each of the newest versions in a channel, with the name of its package and without what it says, the newest version last. */
export const filesOfChannel = async (db: Db, projectId: number, channel: Channel, most: number) => {
  const rows = await filesInChannel(db, { projectId }, channel)
    .clearSelect()
    .select(['package_files.id', 'package_files.file_name', 'package_files.file_sha256', 'package_files.created_at', 'packages.name'])
    .distinctOn('package_files.package_id')
    .orderBy('package_files.package_id', 'desc')
    .orderBy('package_files.id', 'desc')
    .limit(most)
    .execute()
  return rows.reverse()
}

export type ChannelFile = Awaited<ReturnType<typeof filesOfChannel>>[number]

/** The newest file of this name in a channel: of several packages that the name may stand for, of the one that had it first. */
export const fileInChannel = (db: Db, projectId: number, channel: Channel, fileName: string) =>
  filesInChannel(db, { projectId }, channel)
    .where('package_files.file_name', '=', fileName)
    .orderBy('package_files.package_id')
    .orderBy('package_files.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * The file of a package that is installed, with the channel or distribution that it was published to and its component there: a binary package of
 * Debian, else the file that came last.
 */
export const fileToInstall = (db: Db, packageId: number) =>
  db
    .selectFrom('package_files')
    .select(['file_name', 'channel', sql<string | null>`package_files.metadata->>'component'`.as('component')])
    .where('package_id', '=', packageId)
    .orderBy(sql`file_name like '%.deb'`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
