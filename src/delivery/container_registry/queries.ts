/** Reads of the container registry. */
import { sql } from 'kysely'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { projectPathsOf } from './names.ts'

/** Repositories of images with the path of their project. */
export const repositories = (db: Db) =>
  db
    .selectFrom('container_repositories')
    .leftJoin('routes', 'routes.project_id', 'container_repositories.project_id')
    .selectAll('container_repositories')
    .select(({ ref }) => ref('routes.path').$notNull().as('project_path'))

export type RepositoryRow = Awaited<ReturnType<ReturnType<typeof repositories>['executeTakeFirstOrThrow']>>

/** The repositories of a project. */
export const repositoriesOf = (db: Db, projectId: number) =>
  repositories(db).where('container_repositories.project_id', '=', projectId).orderBy('container_repositories.id')

/** The repositories of images in the projects in a group and below it that the actor may read. */
export const repositoriesOfGroup = (db: Db, actor: Actor, groupId: number) => {
  const inside = sql<boolean>`projects.namespace_id in (select id from namespaces where traversal_ids @> ${[groupId]})`
  return repositories(db)
    .where(sql<boolean>`container_repositories.project_id in (${projectsAllowing(actor, 'read_container_image', inside)})`)
    .orderBy('container_repositories.id')
}

/** The repository of a project with this name, if there is one. */
export const repositoryNamed = (db: Db, projectId: number, name: string) =>
  repositories(db)
    .where('container_repositories.project_id', '=', projectId)
    .where('container_repositories.name', '=', name)
    .executeTakeFirst()

/** The repository with this id, if there is one. */
export const repositoryById = (db: Db, id: number) => repositories(db).where('container_repositories.id', '=', id).executeTakeFirst()

/** The path of the project that an image belongs to by its name; undefined where there is none. */
export async function projectPathOf(db: Db, imageName: string): Promise<string | undefined> {
  const paths = projectPathsOf(imageName)
  if (paths.length === 0) return undefined
  const row = await db
    .selectFrom('routes')
    .select('path')
    .where('project_id', 'is not', null)
    .where(sql<boolean>`lower(path) = any(${paths})`)
    .executeTakeFirst()
  return row?.path
}

/** Blobs with where their bytes are, as a repository has them. */
const linkedBlobs = (db: Db, repositoryId: number) =>
  db
    .selectFrom('container_repository_blobs')
    .innerJoin('container_blobs', 'container_blobs.id', 'container_repository_blobs.blob_id')
    .innerJoin('stored_objects', 'stored_objects.id', 'container_blobs.object_id')
    .select(['container_blobs.id', 'container_blobs.digest', 'container_blobs.size', 'container_repository_blobs.linked_at'])
    .select(['stored_objects.key', 'stored_objects.sha256'])
    .where('container_repository_blobs.repository_id', '=', repositoryId)

export type BlobRow = Awaited<ReturnType<ReturnType<typeof linkedBlobs>['executeTakeFirstOrThrow']>>

/** A blob of a repository. */
export const blobIn = (db: Db, repositoryId: number, digest: string) =>
  linkedBlobs(db, repositoryId).where('container_blobs.digest', '=', digest).executeTakeFirst()

/** Those of these blobs that a repository has. */
export const blobsIn = (db: Db, repositoryId: number, digests: readonly string[]) =>
  linkedBlobs(db, repositoryId).where('container_blobs.digest', '=', anyOf(digests))

/** A manifest by its tag or digest. */
export const manifestIn = (db: Db, repositoryId: number, reference: string) =>
  db
    .selectFrom('container_manifests')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where(({ eb, selectFrom }) =>
      reference.includes(':')
        ? eb('digest', '=', reference)
        : eb(
            'id',
            '=',
            selectFrom('container_tags').select('manifest_id').where('repository_id', '=', repositoryId).where('name', '=', reference),
          ),
    )
    .executeTakeFirst()

/** The manifest and all indexes that name it, by themselves or by an index between. */
export async function manifestsAbove(db: Db, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive above(id) as (
      select ${id}::bigint
       union
      select c.parent_id from container_manifest_children c join above a on a.id = c.child_id)
    select id from above`.execute(db)
  return rows.map(row => row.id)
}

/** Tags with what their manifests say of the image, and the names of their repository. */
export const tags = (db: Db) =>
  db
    .selectFrom('container_tags')
    .innerJoin('container_manifests', 'container_manifests.id', 'container_tags.manifest_id')
    .innerJoin('container_repositories', 'container_repositories.id', 'container_tags.repository_id')
    .leftJoin('routes', 'routes.project_id', 'container_repositories.project_id')
    .selectAll('container_tags')
    .select(['digest', 'media_type', 'config_digest', 'total_size', 'image_created_at', 'container_repositories.name as image_name'])
    .select(({ ref }) => ref('routes.path').$notNull().as('project_path'))

export type TagRow = Awaited<ReturnType<ReturnType<typeof tags>['executeTakeFirstOrThrow']>>

/** The tags of a repository, by name. */
export const tagsIn = (db: Db, repositoryId: number) =>
  tags(db).where('container_tags.repository_id', '=', repositoryId).orderBy('container_tags.name')

/** One tag of a repository. */
export const tagIn = (db: Db, repositoryId: number, name: string) =>
  tagsIn(db, repositoryId).where('container_tags.name', '=', name).executeTakeFirst()

/** The names of tags by repository: one statement. */
export async function tagNamesOf(db: Db, repositoryIds: readonly number[]): Promise<Map<number, string[]>> {
  const rows = await db
    .selectFrom('container_tags')
    .select(['repository_id', 'name'])
    .where('repository_id', '=', anyOf(repositoryIds))
    .orderBy('name')
    .execute()
  return new Map([...Map.groupBy(rows, row => row.repository_id)].map(([id, named]) => [id, named.map(({ name }) => name)]))
}

/** The numbers of tags by repository: one statement. */
export async function tagCountsOf(db: Db, repositoryIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('container_tags')
    .select(['repository_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('repository_id', '=', anyOf(repositoryIds))
    .groupBy('repository_id')
    .execute()
  return new Map(rows.map(({ repository_id, count }) => [repository_id, Number(count)]))
}

/** The bytes of the blobs of repositories, each blob once for a repository: one statement. */
export async function blobSizesOf(db: Db, repositoryIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('container_repository_blobs')
    .innerJoin('container_blobs', 'container_blobs.id', 'container_repository_blobs.blob_id')
    .select(['repository_id', ({ fn }) => fn.sum<string>('container_blobs.size').as('size')])
    .where('repository_id', '=', anyOf(repositoryIds))
    .groupBy('repository_id')
    .execute()
  return new Map(rows.map(({ repository_id, size }) => [repository_id, Number(size)]))
}
